#include "viewer/presentation/root_words.h"

#include <fmt/format.h>

namespace cairn::presentation {
namespace {

const snapshot::Thread* ThreadOf(const snapshot::Summary& summary, const session::RootInfo& root) {
  if (root.root == nullptr || root.root->thread >= summary.threads.size()) return nullptr;
  return &summary.threads[root.root->thread];
}

}  // namespace

Json ThreadFields(const snapshot::Summary& summary, const session::RootInfo& root) {
  const snapshot::Thread* thread = ThreadOf(summary, root);
  if (thread == nullptr) return nullptr;
  return {{"os_id", thread->os_id}, {"managed_id", thread->managed_id}, {"name", thread->name}};
}

std::string FrameOf(const session::RootInfo& root) {
  return root.kind == snapshot::RootKind::kLocal ? root.Name() : std::string();
}

Json RootFields(const snapshot::Summary& summary, const session::RootInfo& root) {
  const std::string frame = FrameOf(root);
  return {{"kind", snapshot::RootKindName(root.kind)},
          {"name", root.Name()},
          {"thread", ThreadFields(summary, root)},
          {"frame", frame.empty() ? Json(nullptr) : Json(frame)},
          {"certain", root.IsCertain()}};
}

std::string ThreadWords(const snapshot::Summary& summary, const session::RootInfo& root) {
  const snapshot::Thread* thread = ThreadOf(summary, root);
  if (thread == nullptr) return {};
  return thread->name.empty() ? fmt::format("{}", thread->os_id) : fmt::format("{} ({})", thread->os_id, thread->name);
}

std::string RootWords(const snapshot::Summary& summary, const session::RootInfo& root) {
  std::string words = snapshot::RootKindName(root.kind);
  if (const std::string name = root.Name(); !name.empty())
    words += (root.kind == snapshot::RootKind::kLocal ? " of " : " ") + name;
  if (const std::string thread = ThreadWords(summary, root); !thread.empty()) words += " on thread " + thread;
  if (!root.IsCertain()) words += " (perhaps: found by a conservative scan)";
  return words;
}

}  // namespace cairn::presentation

// Every panel, one line each.

#include "viewer/ui/panel.h"
#include "viewer/ui/panels/allocation_graph_panel.h"
#include "viewer/ui/panels/flame_panel.h"
#include "viewer/ui/panels/heap_panel.h"
#include "viewer/ui/panels/object_panel.h"
#include "viewer/ui/panels/overview_panel.h"
#include "viewer/ui/panels/table_panel.h"
#include "viewer/ui/panels/timeline_panel.h"
#include "viewer/ui/panels/treemap_panel.h"

namespace cairn::ui {

const Panel& PanelOf(presentation::View view) {
  static const OverviewPanel overview;
  static const ObjectPanel object;
  static const TreemapPanel treemap;
  static const TimelinePanel timeline;
  static const HeapPanel heap;
  static const FlamePanel flame;
  static const AllocationGraphPanel graph;
  static const TablePanel table;
  switch (view) {
    case presentation::View::kOverview:
      return overview;
    case presentation::View::kObject:
      return object;
    case presentation::View::kTreemap:
      return treemap;
    case presentation::View::kTimeline:
      return timeline;
    case presentation::View::kHeap:
      return heap;
    case presentation::View::kFlame:
      return flame;
    case presentation::View::kAllocationGraph:
      return graph;
    default:
      return table;
  }
}

}  // namespace cairn::ui

#!/bin/sh
# debian.sh NAME VERSION TREE OUTPUT: a Debian package NAME of what lies in TREE (with usr/ in it). Depends on what
# dpkg-shlibdeps finds. The same tree gives the same package, byte by byte; SOURCE_DATE_EPOCH is its time.
set -eu
name=$1 version=$2 tree=$(cd "$3" && pwd) output=$(cd "$4" && pwd)
architecture=$(dpkg --print-architecture)
maintainer="Cairn <cairn@localhost>"

# dpkg-shlibdeps wants to run where sources of packages are built.
depends() {
  mkdir -p "$tree/../source/debian"
  printf 'Source: cairn\nMaintainer: %s\n\nPackage: %s\nArchitecture: any\n' "$maintainer" "$name" >"$tree/../source/debian/control"
  find "$tree" -type f \( -path '*/bin/*' -o -name '*.so' \) >"$tree/../source/programs"
  # shellcheck disable=SC2046  # the folders are ours: no spaces in them
  (cd "$tree/../source" && dpkg-shlibdeps -O $(sed 's/^/-e/' programs)) | sed 's/^shlibs:Depends=//'
}

describe() {
  case $name in
    cairn)
      echo "Depends: $(depends)"
      echo "Suggests: cairn-desktop"
      echo "Description: heap snapshots of running .NET processes"
      echo " Attaches to a .NET process, walks every object of its garbage-collected heap,"
      echo " writes a small snapshot, and shows what grew and what keeps it alive."
      ;;
    cairn-desktop)
      echo "Depends: cairn (= $version), $(depends)"
      echo "Recommends: fonts-inter, fonts-jetbrains-mono, libgl1-mesa-dri"
      echo "Description: heap snapshots of .NET processes, seen in a window"
      echo " The desktop of cairn: tables, treemaps and paths of snapshots, and captures."
      ;;
  esac
}

# Policy asks for both in every package.
add_documents() {
  documents=$tree/usr/share/doc/$name
  mkdir -p "$documents"
  cp "$tree/../third-party-notices.txt" "$documents/copyright"
  {
    printf '%s (%s) unstable; urgency=medium\n\n  * Built from the sources of this version.\n\n' "$name" "$version"
    printf ' -- %s  %s\n' "$maintainer" "$(LC_ALL=C date -u -R -d "@$SOURCE_DATE_EPOCH")"
  } | gzip -9n >"$documents/changelog.Debian.gz"
  find "$tree/usr/share/man" -name '*.1' -exec gzip -9n {} + 2>/dev/null || true
}

mkdir -p "$tree/DEBIAN" # also what tells dpkg-shlibdeps that this is a package's tree
add_documents
size=$(find "$tree/usr" -type f -exec cat {} + | wc -c)
{
  printf 'Package: %s\nVersion: %s\nArchitecture: %s\nMaintainer: %s\n' "$name" "$version" "$architecture" "$maintainer"
  printf 'Section: devel\nPriority: optional\nInstalled-Size: %s\n' $(((size + 1023) / 1024))
  describe
} >"$tree/../control"
mv "$tree/../control" "$tree/DEBIAN/control"
(cd "$tree" && find usr -type f -print0 | LC_ALL=C sort -z | xargs -0 md5sum) >"$tree/DEBIAN/md5sums"
dpkg-deb --root-owner-group -Zxz --threads-max=1 --build "$tree" "$output/${name}_${version}_$architecture.deb" >/dev/null
echo "$output/${name}_${version}_$architecture.deb"

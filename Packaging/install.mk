# make install and make uninstall. Folders, each of which can be set:
#
#   PREFIX    /usr/local
#   LIBDIR    the libraries for C, with their .pc files: PREFIX/lib; a Debian package has PREFIX/lib/x86_64-linux-gnu
#   UNITDIR, ZSHDIR, FISHDIR, DOCDIR
#             the service, completions for zsh and fish, documentation
#   DESTDIR   a folder that stands for / while a package is made
#   STRIP     no: leave debug symbols in the binaries, for packagers whose tools separate them
#
# What is installed is first put together in STAGE, by the user; only copying it needs root, and then uses sudo.
PREFIX ?= /usr/local
LIBDIR ?= $(PREFIX)/lib
UNITDIR ?= $(PREFIX)/lib/systemd/user
ZSHDIR ?= $(PREFIX)/share/zsh/site-functions
FISHDIR ?= $(PREFIX)/share/fish/vendor_completions.d
DOCDIR ?= $(PREFIX)/share/doc/portative
STRIP ?= yes
STAGE ?= .build/stage
# The folder of what only portative uses. It looks for it beside its own, so it does not depend on LIBDIR.
PRIVATE = $(PREFIX)/lib/portative

# The library's file has the number of its interface before the version: Documentation/Versioning.md.
SOVERSION = 0
INSTALL_BINARY = STRIP=$(STRIP) Packaging/install-binary
SHARE = $(DESTDIR)$(PREFIX)/share

.PHONY: install uninstall stage install-program install-data install-manuals install-library install-render-library install-lv2 install-clap install-link

install: stage
	Packaging/install-tree $(STAGE) "$(DESTDIR)" $(PREFIX)

# Removes what make install wrote with the same PREFIX and DESTDIR, and nothing else.
uninstall:
	Packaging/uninstall-tree "$(DESTDIR)" $(PREFIX)

# The steps one after the other, because SwiftPM builds one thing at a time.
stage:
	rm -rf $(STAGE)
	mkdir -p $(STAGE)
	for part in program data manuals library render-library lv2 clap; do \
	  $(MAKE) --no-print-directory install-$$part DESTDIR=$(abspath $(STAGE)) || exit; done

install-program: build
	$(INSTALL_BINARY) 755 .build/release/portative $(DESTDIR)$(PREFIX)/bin/portative

# What does not depend on the machine, apart from paths.
APPSTREAM_ID = $(shell tools/identity appstream-id)
HOMEPAGE = $(shell tools/identity homepage)
install-data:
	install -Dm644 SoundFonts/Portative.sf2 $(SHARE)/portative/SoundFonts/Portative.sf2
	install -Dm644 nodes/portative.json $(SHARE)/portative/nodes/portative.json
	install -d $(SHARE)/portative/schemas $(SHARE)/metainfo $(DESTDIR)$(DOCDIR)/Documentation
	install -m644 Schemas/*.schema.json $(SHARE)/portative/schemas
	sed 's|@APPSTREAM_ID@|$(APPSTREAM_ID)|; $(if $(HOMEPAGE),s|@URL@|<url type="homepage">$(HOMEPAGE)</url>|,/@URL@/d)' \
	  Packaging/portative.metainfo.xml.in > $(SHARE)/metainfo/$(APPSTREAM_ID).metainfo.xml
	chmod 644 $(SHARE)/metainfo/$(APPSTREAM_ID).metainfo.xml
	install -Dm644 Packaging/portative.svg $(SHARE)/icons/hicolor/scalable/apps/$(APPSTREAM_ID).svg
	install -m644 README.md CHANGELOG.md LICENSE THIRD-PARTY-NOTICES.md $(DESTDIR)$(DOCDIR)
	install -m644 Documentation/*.md Documentation/*.png $(DESTDIR)$(DOCDIR)/Documentation
	install -Dm644 SoundFonts/LICENSE $(DESTDIR)$(DOCDIR)/SoundFonts/LICENSE
	install -Dm644 "$$(tools/swift-licence)" $(DESTDIR)$(DOCDIR)/Swift-LICENSE.txt
	install -d $(DESTDIR)$(UNITDIR)
	sed 's|@PREFIX@|$(PREFIX)|' Packaging/portative.service.in > $(DESTDIR)$(UNITDIR)/portative.service
	chmod 644 $(DESTDIR)$(UNITDIR)/portative.service

# Manual pages and completions, which the program writes from its tables of options, and the manual of the protocol.
PROGRAM ?= .build/release/portative
MANUALS = $(SHARE)/man
install-manuals: build
	@tools/install-packages lowdown
	install -d $(MANUALS)/man1 $(MANUALS)/man5 $(MANUALS)/man7
	for page in $$($(PROGRAM) manual); do \
	  $(PROGRAM) manual $$page | sed 's|/usr/share/portative/SoundFonts|$(PREFIX)/share/portative/SoundFonts|; s|/usr/share/portative/schemas|$(PREFIX)/share/portative/schemas|' \
	    > $(MANUALS)/man$${page##*.}/$$page || exit; done
	tools/protocol-manual $(VERSION) "$$(tools/version --date)" > $(MANUALS)/man7/portative-protocol.7
	install -d $(SHARE)/bash-completion/completions $(DESTDIR)$(ZSHDIR) $(DESTDIR)$(FISHDIR)
	$(PROGRAM) completion bash > $(SHARE)/bash-completion/completions/portative
	$(PROGRAM) completion zsh > $(DESTDIR)$(ZSHDIR)/_portative
	$(PROGRAM) completion fish > $(DESTDIR)$(FISHDIR)/portative.fish

# libportative.so with its headers and portative.pc.
install-library: library
	$(call install-shared,libportative,.build/release/libportative-c.so,Sources/C/CPortative/portative/*.h,Sources/C/CPortative/portative.pc.in)

# libportative-render.so with its header and portative-render.pc.
install-render-library: render-library
	$(call install-shared,libportative-render,.build/release/libportative-render-c.so,Sources/C/CPortativeRender/portative/render.h,Sources/C/CPortativeRender/portative-render.pc.in)

# $(call install-shared,NAME,LIBRARY,HEADERS,TEMPLATE)
define install-shared
	$(INSTALL_BINARY) 644 $(2) $(DESTDIR)$(LIBDIR)/$(1).so.$(SOVERSION).$(VERSION)
	ln -sf $(1).so.$(SOVERSION).$(VERSION) $(DESTDIR)$(LIBDIR)/$(1).so.$(SOVERSION)
	ln -sf $(1).so.$(SOVERSION) $(DESTDIR)$(LIBDIR)/$(1).so
	install -d $(DESTDIR)$(PREFIX)/include/portative $(DESTDIR)$(LIBDIR)/pkgconfig
	install -m644 $(3) $(DESTDIR)$(PREFIX)/include/portative
	sed 's|@PREFIX@|$(PREFIX)|; s|@LIBDIR@|$(patsubst $(PREFIX)/%,$${prefix}/%,$(LIBDIR))|; s|@VERSION@|$(VERSION)|' $(4) \
	  > $(DESTDIR)$(LIBDIR)/pkgconfig/$(basename $(notdir $(4)))
	chmod 644 $(DESTDIR)$(LIBDIR)/pkgconfig/$(basename $(notdir $(4)))
endef

# The LV2 plugins of the built-in units. portative lv2 install makes those of other nodes.
install-lv2: build lv2
	$(INSTALL_BINARY) 644 .build/release/libportative-lv2.so $(DESTDIR)$(PRIVATE)/portative.so
	tools/install-plugins $(DESTDIR)$(PREFIX)

# The CLAP plugins, which list those of the LV2 bundles.
install-clap: clap
	$(INSTALL_BINARY) 644 .build/release/libportative-clap.so $(DESTDIR)$(PREFIX)/lib/clap/portative.clap

# A program of its own, whose licence is the GPL: Link/README.md. make install does not install it.
install-link: link
	$(INSTALL_BINARY) 755 .build/portative-link $(DESTDIR)$(PRIVATE)/portative-link

#include "CPanelPage.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const struct panel_file files[] = {
    {"panel.html", (const char[]){
#embed "page/panel.html" suffix(, 0)
    }},
    {"panel.css", (const char[]){
#embed "page/panel.css" suffix(, 0)
    }},
    {"first.js", (const char[]){
#embed "page/first.js" suffix(, 0)
    }},
    {"panel.js", (const char[]){
#embed "page/panel.js" suffix(, 0)
    }},
    {"page.js", (const char[]){
#embed "page/page.js" suffix(, 0)
    }},
    {"codes.js", (const char[]){
#embed "page/codes.js" suffix(, 0)
    }},
    {"connection.js", (const char[]){
#embed "page/connection.js" suffix(, 0)
    }},
    {"server.js", (const char[]){
#embed "page/server.js" suffix(, 0)
    }},
    {"sound.js", (const char[]){
#embed "page/sound.js" suffix(, 0)
    }},
    {"play.js", (const char[]){
#embed "page/play.js" suffix(, 0)
    }},
    {"zones.js", (const char[]){
#embed "page/zones.js" suffix(, 0)
    }},
    {"keyboard.js", (const char[]){
#embed "page/keyboard.js" suffix(, 0)
    }},
    {"parameters.js", (const char[]){
#embed "page/parameters.js" suffix(, 0)
    }},
    {"zone-editor.js", (const char[]){
#embed "page/zone-editor.js" suffix(, 0)
    }},
    {"saving.js", (const char[]){
#embed "page/saving.js" suffix(, 0)
    }},
    {"monitor.js", (const char[]){
#embed "page/monitor.js" suffix(, 0)
    }},
    {"takes.js", (const char[]){
#embed "page/takes.js" suffix(, 0)
    }},
    {"undo.js", (const char[]){
#embed "page/undo.js" suffix(, 0)
    }},
    {"song.js", (const char[]){
#embed "page/song.js" suffix(, 0)
    }},
    {"mixer.js", (const char[]){
#embed "page/mixer.js" suffix(, 0)
    }},
    {"words.js", (const char[]){
#embed "page/words.js" suffix(, 0)
    }},
    {"audition.js", (const char[]){
#embed "page/audition.js" suffix(, 0)
    }},
    {"recordings.js", (const char[]){
#embed "page/recordings.js" suffix(, 0)
    }},
    {"now.js", (const char[]){
#embed "page/now.js" suffix(, 0)
    }},
    {"stage.js", (const char[]){
#embed "page/stage.js" suffix(, 0)
    }},
    {0},
};

const struct panel_file *panel_files(void) { return files; }

#include "CDemoFiles.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char aubergine_png[] = {
#embed "Files/aubergine.png"
};
static const unsigned char aubergine_2x_png[] = {
#embed "Files/aubergine@2x.png"
};
static const unsigned char avocado_png[] = {
#embed "Files/avocado.png"
};
static const unsigned char avocado_2x_png[] = {
#embed "Files/avocado@2x.png"
};
static const unsigned char blueberry_png[] = {
#embed "Files/blueberry.png"
};
static const unsigned char blueberry_2x_png[] = {
#embed "Files/blueberry@2x.png"
};
static const unsigned char bread_png[] = {
#embed "Files/bread.png"
};
static const unsigned char bread_2x_png[] = {
#embed "Files/bread@2x.png"
};
static const unsigned char carrot_png[] = {
#embed "Files/carrot.png"
};
static const unsigned char carrot_2x_png[] = {
#embed "Files/carrot@2x.png"
};
static const unsigned char cheese_png[] = {
#embed "Files/cheese.png"
};
static const unsigned char cheese_2x_png[] = {
#embed "Files/cheese@2x.png"
};
static const unsigned char fields_png[] = {
#embed "Files/fields.png"
};
static const unsigned char fields_2x_png[] = {
#embed "Files/fields@2x.png"
};
static const unsigned char garden_mov[] = {
#embed "Files/garden.mov"
};
static const unsigned char garden_png[] = {
#embed "Files/garden.png"
};
static const unsigned char lemon_png[] = {
#embed "Files/lemon.png"
};
static const unsigned char lemon_2x_png[] = {
#embed "Files/lemon@2x.png"
};
static const unsigned char pantry_ttf[] = {
#embed "Files/pantry.ttf"
};
static const unsigned char tomato_png[] = {
#embed "Files/tomato.png"
};
static const unsigned char tomato_2x_png[] = {
#embed "Files/tomato@2x.png"
};

static const struct larder_demo_file files[] = {
    {"aubergine.png", aubergine_png, sizeof aubergine_png},
    {"aubergine@2x.png", aubergine_2x_png, sizeof aubergine_2x_png},
    {"avocado.png", avocado_png, sizeof avocado_png},
    {"avocado@2x.png", avocado_2x_png, sizeof avocado_2x_png},
    {"blueberry.png", blueberry_png, sizeof blueberry_png},
    {"blueberry@2x.png", blueberry_2x_png, sizeof blueberry_2x_png},
    {"bread.png", bread_png, sizeof bread_png},
    {"bread@2x.png", bread_2x_png, sizeof bread_2x_png},
    {"carrot.png", carrot_png, sizeof carrot_png},
    {"carrot@2x.png", carrot_2x_png, sizeof carrot_2x_png},
    {"cheese.png", cheese_png, sizeof cheese_png},
    {"cheese@2x.png", cheese_2x_png, sizeof cheese_2x_png},
    {"fields.png", fields_png, sizeof fields_png},
    {"fields@2x.png", fields_2x_png, sizeof fields_2x_png},
    {"garden.mov", garden_mov, sizeof garden_mov},
    {"garden.png", garden_png, sizeof garden_png},
    {"lemon.png", lemon_png, sizeof lemon_png},
    {"lemon@2x.png", lemon_2x_png, sizeof lemon_2x_png},
    {"pantry.ttf", pantry_ttf, sizeof pantry_ttf},
    {"tomato.png", tomato_png, sizeof tomato_png},
    {"tomato@2x.png", tomato_2x_png, sizeof tomato_2x_png},
};

const struct larder_demo_file *larder_demo_file(size_t index) {
    return index < sizeof files / sizeof *files ? &files[index] : NULL;
}

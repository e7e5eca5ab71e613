// A native window (GLFW, Dear ImGui) on the body of scene.h: drag turns it, right drag pulls it, Ctrl click removes a tet, the wheel
// zooms. window [--frames N PICTURE.ppm]: draws N pictures, writes the last as PPM and ends.
#include "scene.h"

#include <GLFW/glfw3.h>
#include <imgui/backends/imgui_impl_glfw.h>
#include <imgui/backends/imgui_impl_opengl2.h>
#include <imgui/imgui.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

namespace {

struct View {
    double turn = 0.6, tilt = 0.5, height = 1.0;
    double right[3], up[3], back[3], center[3] = {0.5, 0.1, 0.1};
};

struct Window {
    viewer_scene *scene = nullptr;
    viewer_picture picture = {};
    View view;
    float young = 1e6F;
    double factor = 1.0; // of displacements, in statics; in motion they are shown as they are
    bool has_picture = false;
    int32_t pulled = -1; // vertex row
    double through[3] = {};
    char line[256] = "";
};

void command(Window &window, bool taken)
{
    if (!taken) {
        std::snprintf(window.line, sizeof window.line, "%.250s", viewer_message());
    }
}

void orient(View &view)
{
    const double ct = std::cos(view.turn), st = std::sin(view.turn), cl = std::cos(view.tilt), sl = std::sin(view.tilt);
    const double right[3] = {ct, st, 0}, back[3] = {st * cl, -ct * cl, sl}, up[3] = {-st * sl, ct * sl, cl};
    std::copy(right, right + 3, view.right);
    std::copy(back, back + 3, view.back);
    std::copy(up, up + 3, view.up);
}

// The place under the pointer in the plane through the view's center that faces the eye.
void place_of(const View &view, double x, double y, int width, int height, double place[3])
{
    const double unit = view.height / height, a = (x - 0.5 * width) * unit, b = (0.5 * height - y) * unit;
    for (int c = 0; c < 3; c++) {
        place[c] = view.center[c] + a * view.right[c] + b * view.up[c];
    }
}

// ---- drawing

void color_of(float part, float out[3])
{
    static const float points[5][3] = {{0.12F, 0.23F, 0.82F}, {0.1F, 0.76F, 0.79F}, {0.2F, 0.75F, 0.4F}, {0.95F, 0.88F, 0.18F}, {0.84F, 0.15F, 0.12F}};
    const float at = 4 * std::min(std::max(part, 0.0F), 0.9999F);
    const int k = static_cast<int>(at);
    for (int c = 0; c < 3; c++) {
        out[c] = points[k][c] + (at - static_cast<float>(k)) * (points[k + 1][c] - points[k][c]);
    }
}

void add_triangle(const Window &window, int32_t f, float most, std::vector<float> &place, std::vector<float> &color)
{
    const viewer_picture &p = window.picture;
    const float factor = static_cast<float>(p.is_static ? window.factor : 1.0);
    float x[3][3], normal[3];
    for (int k = 0; k < 3; k++) {
        const int32_t v = p.triangle[3 * f + k];
        for (int c = 0; c < 3; c++) {
            x[k][c] = p.position[3 * v + c] + factor * p.displacement[3 * v + c];
        }
    }
    float length = 0;
    for (int c = 0; c < 3; c++) {
        const int d = (c + 1) % 3, e = (c + 2) % 3;
        normal[c] = (x[1][d] - x[0][d]) * (x[2][e] - x[0][e]) - (x[1][e] - x[0][e]) * (x[2][d] - x[0][d]);
        length += normal[c] * normal[c];
    }
    double light = 0;
    for (int c = 0; c < 3; c++) {
        light += normal[c] / std::sqrt(length) * (window.view.back[c] + 0.5 * window.view.up[c]);
    }
    const float shade = static_cast<float>(0.55 + 0.4 * std::max(0.0, light));
    for (int k = 0; k < 3; k++) {
        float own[3] = {0.7F, 0.75F, 0.8F};
        const float value = p.value ? p.value[p.triangle[3 * f + k]] : NAN;
        if (std::isfinite(value)) {
            color_of(most > 0 ? value / most : 0, own);
        }
        for (int c = 0; c < 3; c++) {
            place.push_back(x[k][c]);
            color.push_back(shade * own[c]);
        }
    }
}

void draw_body(const Window &window, int width, int height)
{
    const View &v = window.view;
    const double half = 0.5 * v.height, wide = half * width / height, deep = 10 * window.picture.size;
    std::vector<float> place, color;
    float most = 0;
    for (int32_t i = 0; i < window.picture.n_vertex && window.picture.value; i++) {
        most = std::isfinite(window.picture.value[i]) ? std::max(most, window.picture.value[i]) : most;
    }
    for (int32_t f = 0; f < window.picture.n_triangle; f++) {
        add_triangle(window, f, most, place, color);
    }
    glViewport(0, 0, width, height);
    glClearColor(0.93F, 0.95F, 0.97F, 1);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    glEnable(GL_DEPTH_TEST);
    glMatrixMode(GL_PROJECTION);
    glLoadIdentity();
    glOrtho(-wide, wide, -half, half, -deep, deep);
    glMatrixMode(GL_MODELVIEW);
    const double turn[16] = {v.right[0], v.up[0], v.back[0], 0, v.right[1], v.up[1], v.back[1], 0, v.right[2], v.up[2], v.back[2], 0, 0, 0, 0, 1};
    glLoadMatrixd(turn);
    glTranslated(-v.center[0], -v.center[1], -v.center[2]);
    glEnableClientState(GL_VERTEX_ARRAY);
    glEnableClientState(GL_COLOR_ARRAY);
    glVertexPointer(3, GL_FLOAT, 0, place.data());
    glColorPointer(3, GL_FLOAT, 0, color.data());
    glDrawArrays(GL_TRIANGLES, 0, static_cast<GLsizei>(place.size() / 3));
    glDisableClientState(GL_COLOR_ARRAY);
    glDisableClientState(GL_VERTEX_ARRAY);
    glDisable(GL_DEPTH_TEST);
}

// ---- what the user does

void pull(Window &window, const double to[3])
{
    const int32_t v = window.pulled;
    const double factor = window.picture.is_static ? window.factor : 1.0;
    double at[3];
    for (int c = 0; c < 3; c++) { // the hand moves what is seen, displaced `factor` times
        const double rest = window.picture.position[3 * v + c];
        at[c] = rest + (to[c] - rest) / factor;
    }
    command(window, viewer_do(window.scene, "\"do\": \"pull\", \"vertex\": %d, \"to\": [%.9g, %.9g, %.9g]", window.picture.vertex_slot[v], at[0], at[1], at[2]));
}

void use_pointer(Window &window, int width, int height)
{
    const ImGuiIO &io = ImGui::GetIO();
    View &view = window.view;
    if (window.pulled >= 0) {
        double to[3], depth = 0;
        place_of(view, io.MousePos.x, io.MousePos.y, width, height, to);
        for (int c = 0; c < 3; c++) {
            depth += view.back[c] * (window.through[c] - view.center[c]);
        }
        for (int c = 0; c < 3; c++) {
            to[c] += depth * view.back[c];
        }
        if (ImGui::IsMouseDown(1)) {
            pull(window, to);
        } else {
            window.pulled = -1;
            command(window, viewer_do(window.scene, "\"do\": \"release\""));
        }
        return;
    }
    if (io.WantCaptureMouse) {
        return;
    }
    view.height *= std::exp(-0.1 * io.MouseWheel);
    const bool removes = ImGui::IsMouseClicked(0) && io.KeyCtrl;
    if (ImGui::IsMouseClicked(1) || removes) {
        double from[3], toward[3], place[3];
        place_of(view, io.MousePos.x, io.MousePos.y, width, height, from);
        for (int c = 0; c < 3; c++) {
            from[c] += 5 * window.picture.size * view.back[c];
            toward[c] = -view.back[c];
        }
        const int32_t f = viewer_pick(&window.picture, window.picture.is_static ? window.factor : 1.0, from, toward, place);
        if (f >= 0 && removes) {
            command(window, viewer_do(window.scene, "\"do\": \"remove\", \"face\": %d, \"radius\": 0", window.picture.face[f]));
        } else if (f >= 0) {
            window.pulled = window.picture.triangle[3 * f];
            std::copy(place, place + 3, window.through);
        }
    } else if (ImGui::IsMouseDragging(0, 0) && !io.KeyCtrl) {
        view.turn -= 0.01 * io.MouseDelta.x;
        view.tilt = std::min(1.55, std::max(-1.55, view.tilt + 0.01 * io.MouseDelta.y));
    }
}

void draw_panel(Window &window)
{
    static const char *const names[] = {"statics", "dynamics", "rotations"};
    const viewer_picture &p = window.picture;
    ImGui::SetNextWindowPos(ImVec2(10, 10), ImGuiCond_FirstUseEver);
    ImGui::SetNextWindowSize(ImVec2(300, 0), ImGuiCond_FirstUseEver);
    ImGui::Begin("Body");
    ImGui::Text("%d tets, %.3g ms, time %.3g s", p.n_tet, p.milliseconds, p.time);
    for (const char *name : names) {
        if (ImGui::Button(name)) {
            command(window, viewer_do(window.scene, "\"do\": \"mode\", \"mode\": \"%s\"", name));
        }
        ImGui::SameLine();
    }
    ImGui::NewLine();
    if (!p.is_static && ImGui::Button(p.is_playing ? "Pause" : "Play")) {
        command(window, p.is_playing ? viewer_do(window.scene, "\"do\": \"pause\"") : viewer_do(window.scene, "\"do\": \"play\", \"dt\": 0.0166667, \"speed\": 1"));
    }
    if (ImGui::SliderFloat("E", &window.young, 1e5F, 1e7F, "%.3g", ImGuiSliderFlags_Logarithmic)) {
        command(window, viewer_do(window.scene, "\"do\": \"material\", \"young\": %.9g, \"poisson\": 0.4, \"density\": 1000", static_cast<double>(window.young)));
    }
    if (ImGui::Button("Undo")) {
        command(window, viewer_do(window.scene, "\"do\": \"undo\""));
    }
    char line[256];
    if (viewer_refusal(window.scene, line)) {
        std::memcpy(window.line, line, sizeof line);
    }
    ImGui::TextWrapped("%s", p.message[0] ? p.message : window.line);
    ImGui::End();
}

bool write_picture(const char *path, int width, int height)
{
    std::vector<unsigned char> pixels(3 * static_cast<size_t>(width) * static_cast<size_t>(height));
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glReadPixels(0, 0, width, height, GL_RGB, GL_UNSIGNED_BYTE, pixels.data());
    FILE *file = std::fopen(path, "wb");
    if (!file) {
        return false;
    }
    std::fprintf(file, "P6\n%d %d\n255\n", width, height);
    for (int row = height - 1; row >= 0; row--) {
        std::fwrite(pixels.data() + 3 * static_cast<size_t>(width) * static_cast<size_t>(row), 3, static_cast<size_t>(width), file);
    }
    return std::fclose(file) == 0;
}

int run(Window &window, GLFWwindow *glfw, int n_frame, const char *path)
{
    for (int k = 0; !glfwWindowShouldClose(glfw) && (n_frame == 0 || k < n_frame); k++) {
        int width, height;
        glfwPollEvents();
        if (n_frame && !viewer_wait(window.scene, 30)) {
            return 1;
        }
        window.has_picture = viewer_take(window.scene, &window.picture) || window.has_picture;
        glfwGetFramebufferSize(glfw, &width, &height);
        ImGui_ImplOpenGL2_NewFrame();
        ImGui_ImplGlfw_NewFrame();
        ImGui::NewFrame();
        orient(window.view);
        if (window.has_picture) {
            use_pointer(window, width, height);
            draw_panel(window);
            draw_body(window, width, height);
        }
        ImGui::Render();
        ImGui_ImplOpenGL2_RenderDrawData(ImGui::GetDrawData());
        if (n_frame && k + 1 == n_frame && !write_picture(path, width, height)) {
            std::fprintf(stderr, "viewer: cannot write %s\n", path);
            return 1;
        }
        glfwSwapBuffers(glfw);
    }
    return 0;
}

} // namespace

int main(int argc, char **argv)
{
    const bool is_test = argc == 4 && !std::strcmp(argv[1], "--frames");
    const viewer_beam beam = {{1.0, 0.2, 0.2}, {25, 5, 5}};
    Window window;
    if (argc > 1 && !is_test) {
        std::fprintf(stderr, "usage: viewer [--frames N PICTURE.ppm]\n");
        return 2;
    }
    window.scene = viewer_open(&beam);
    if (!window.scene || !glfwInit()) {
        std::fprintf(stderr, "viewer: %s\n", window.scene ? "there is no display that GLFW can open" : viewer_message());
        viewer_close(window.scene);
        return 1;
    }
    GLFWwindow *glfw = glfwCreateWindow(960, 640, "Edgewise", nullptr, nullptr);
    int status = 1;
    if (glfw) {
        glfwMakeContextCurrent(glfw);
        glfwSwapInterval(1);
        ImGui::CreateContext();
        ImGui::GetIO().IniFilename = nullptr;
        ImGui_ImplGlfw_InitForOpenGL(glfw, true);
        ImGui_ImplOpenGL2_Init();
        status = run(window, glfw, is_test ? std::atoi(argv[2]) : 0, is_test ? argv[3] : nullptr);
        ImGui_ImplOpenGL2_Shutdown();
        ImGui_ImplGlfw_Shutdown();
        ImGui::DestroyContext();
        glfwDestroyWindow(glfw);
    } else {
        std::fprintf(stderr, "viewer: this display has no OpenGL\n");
    }
    glfwTerminate();
    viewer_close(window.scene);
    return status;
}

#pragma clang __debug crash

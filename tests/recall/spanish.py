"""A session in Spanish: a game in C++ runs out of memory on a console."""

from tests.recall.session import Session

GAME = Session(
    "en",
    [
        ("prompt", ("Hola. El juego se cae al cargar el segundo nivel en la Switch, en PC va "
          "bien. Busca la causa. No toques el motor de física, lo mantiene otro "
          "equipo. Incidencia GAME-311.")),
        ("run", "cmake --build build/switch-debug -j8", "[100%] Built target luna"),
        ("read", "src/level/loader.cpp"),
        ("read", "src/core/arena.hpp"),
        ("fail", "tools/emu run build/switch-debug/luna.nro --level 2", ("[INFO] loading level 2\n[INFO] asset ok\n[INFO] asset ok\n[INFO] asset "
          "ok\n[INFO] asset ok\n[INFO] asset ok\n[INFO] asset ok\n[INFO] asset ok\n[INFO] "
          "asset ok\n[INFO] asset ok\n[INFO] asset ok\n[INFO] asset ok\n[INFO] asset "
          "ok\n[INFO] asset ok\n[INFO] asset ok\n[INFO] asset ok\n[INFO] asset ok\n[INFO] "
          "asset ok\n[INFO] asset ok\n[INFO] asset ok\n[INFO] asset ok\n[INFO] asset "
          "ok\n[INFO] asset ok\n[INFO] asset ok\n[INFO] asset ok\n[INFO] asset ok\n[INFO] "
          "asset ok\n[INFO] asset ok\n[INFO] asset ok\n[INFO] asset ok\n[INFO] asset "
          "ok\n[INFO] asset ok\n[INFO] asset ok\n[INFO] asset ok\n[INFO] asset ok\n[INFO] "
          "asset ok\n[INFO] asset ok\n[INFO] asset ok\n[INFO] asset ok\n[INFO] asset "
          "ok\n[INFO] asset ok\n[INFO] asset ok\n[INFO] asset ok\n[INFO] asset ok\n[INFO] "
          "asset ok\n[INFO] asset ok\nterminate called after throwing an instance of "
          "'std::bad_alloc'\n  what():  std::bad_alloc\n#3 luna::Arena::grow(unsigned "
          "long) at src/core/arena.hpp:58\nAborted (core dumped)")),
        ("say", ("La causa es que el Arena duplica su tamaño al crecer y en la Switch solo "
          "quedan 96 MB libres, así que la segunda duplicación falla.")),
        ("prompt", ("vale, arréglalo, pero no quiero reservas de memoria durante el juego, solo "
          "en la carga")),
        ("edit", "src/core/arena.hpp"),
        ("edit", "src/level/loader.cpp"),
        ("fail", "ctest --test-dir build/pc-debug -R arena --output-on-failure", ("    Start 14: arena_grow\n1/3 Test #14: arena_grow .......***Failed    0.02 "
          "sec\n/home/dev/shop/tests/arena_test.cpp:33: Failure\nExpected equality of "
          "these values:\n  arena.capacity()\n    Which is: 65536\n  131072\n")),
        ("edit", "tests/arena_test.cpp"),
        ("run",
         "ctest --test-dir build/pc-debug -R arena --output-on-failure",
         "100% tests passed, 0 tests failed out of 3"),
        ("refuse", "no cambies el tamaño de las texturas, arte ya las entregó"),
        ("say", ("Decidí calcular el tamaño total del nivel antes de cargar y reservarlo una "
          "sola vez, en lugar de crecer por pasos, porque el emulador fragmenta la "
          "memoria.")),
        ("ask",
         "¿Qué hacemos si el nivel no cabe?",
         ["Pantalla de error", "Descargar el nivel anterior", "Bajar la calidad"],
         "Descargar el nivel anterior"),
        ("prompt", "perfecto, sigue"),
        ("edit", "src/level/unload.cpp"),
        ("run",
         "tools/emu run build/switch-debug/luna.nro --level 2 --frames 600",
         "600 frames, avg 16.1 ms"),
        ("say", "El nivel 2 carga en 2,8 s y el pico de memoria es de 71 MB."),
        ("prompt", ("además añade un contador de memoria en el menú de depuración, con letra "
          "pequeña abajo a la derecha")),
        ("edit", "src/debug/overlay.cpp"),
        ("run", "clang-tidy -p build/pc-debug src/debug/overlay.cpp", ""),
        ("run",
         "git commit -am 'Reservar el nivel de una vez'",
         "[switch/carga 9b0e7d2] Reservar el nivel de una vez"),
        ("prompt", "Los mensajes de commit siempre en español y sin emojis."),
        ("prompt", "sí"),
        ("prompt", "ahora prepara la versión 1.4.2 para la certificación; antes del viernes"),
    ],
    ("Resumen:\n1. Petición principal: el juego se cae al cargar el segundo nivel en "
     "la Switch; hay que corregirlo.\n2. Archivos: src/core/arena.hpp y "
     "src/level/loader.cpp se modificaron para reservar la memoria del nivel.\n3. "
     "Errores: std::bad_alloc al crecer el Arena, corregido.\n4. Trabajo actual: "
     "preparar la versión 1.4.2."),
    [
        ("constraint", "words", "No toques el motor de física, lo mantiene otro equipo"),
        ("constraint", "words", "no quiero reservas de memoria durante el juego, solo en la carga"),
        ("constraint", "words", "Los mensajes de commit siempre en español y sin emojis"),
        ("refusal", "words", "no cambies el tamaño de las texturas, arte ya las entregó"),
        ("request", "words", ("añade un contador de memoria en el menú de depuración, con letra pequeña "
          "abajo a la derecha")),
        ("request", "words", "prepara la versión 1.4.2 para la certificación; antes del viernes"),
        ("decision", "words", "duplica su tamaño al crecer y en la Switch solo quedan 96 MB libres"),
        ("decision", "words", ("reservarlo una sola vez, en lugar de crecer por pasos, porque el emulador "
          "fragmenta la memoria")),
        ("choice", "words", "¿Qué hacemos si el nivel no cabe? Descargar el nivel anterior"),
        ("file", "path", "src/level/unload.cpp"),
        ("file", "path", "src/debug/overlay.cpp"),
        ("fix", "pair", ["Expected equality of these values arena.capacity()", "arena_test.cpp"]),
        ("command", "command", "cmake --build build/switch-debug -j8"),
        ("command", "command", "ctest --test-dir build/pc-debug -R arena --output-on-failure"),
        ("command", "command", "clang-tidy -p build/pc-debug src/debug/overlay.cpp"),
        ("id", "token", "GAME-311"),
        ("id", "token", "9b0e7d2"),
        ("number", "words", "pico de memoria es de 71 MB"),
    ],
)  # fmt: skip

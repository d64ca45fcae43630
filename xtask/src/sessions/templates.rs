//! The projects that sessions are played in.

/// Files of a project of each kind: names and what is in them.
pub const TEMPLATES: &[(&str, &[(&str, &str)])] = &[
    (
        "node",
        &[
            (
                "package.json",
                r#"{"name":"shop","scripts":{"dev":"vite","build":"tsc -p . && vite build","test":"vitest run","lint":"eslint .","typecheck":"tsc --noEmit","e2e":"playwright test","format":"prettier --write .","db:migrate":"prisma migrate dev","start":"node server.js"},"dependencies":{"react":"18","express":"4","zod":"3"},"devDependencies":{"typescript":"5","vite":"5","vitest":"1","eslint":"9","prettier":"3","@playwright/test":"1","prisma":"5","tsx":"4"}}"#,
            ),
            ("tsconfig.json", "{}"),
            ("server.js", "console.log(1)\n"),
            ("src/app.tsx", "export {}\n"),
            ("src/index.ts", "export {}\n"),
            ("src/components/Button.tsx", "export {}\n"),
            ("src/api/users.ts", "export {}\n"),
            ("tests/app.test.ts", "export {}\n"),
            ("scripts/check.sh", "#!/bin/sh\nset -e\nnpm test\n"),
            ("scripts/seed.ts", "console.log(1)\n"),
            (
                "docker-compose.yml",
                "services:\n  db:\n    image: postgres:16\n    ports:\n      - \"5432:5432\"\n  web:\n    build: .\n  redis:\n    image: redis:7\n",
            ),
            ("Dockerfile", "FROM node:20\nCOPY . .\n"),
            (".env.example", "DB_URL=\n"),
            (
                "prisma/schema.prisma",
                "datasource db {\n  provider = \"postgresql\"\n  url      = env(\"DATABASE_URL\")\n}\nmodel A { id Int @id }\n",
            ),
            (".github/workflows/ci.yml", "on: push\njobs: {}\n"),
        ],
    ),
    (
        "python",
        &[
            (
                "pyproject.toml",
                "[project]\nname = \"shop\"\ndependencies = [\"flask\", \"fastapi\", \"pandas\", \"numpy\", \"requests\", \"sqlalchemy\", \"pytest\"]\n",
            ),
            (
                "requirements.txt",
                "flask\nfastapi\npandas\nnumpy\nrequests\nsqlalchemy\npytest\n",
            ),
            ("app/__init__.py", ""),
            ("app/main.py", "print(1)\n"),
            ("app/models/user.py", "class User: pass\n"),
            ("tests/test_a.py", "def test_a():\n    assert True\n"),
            ("scripts/seed.py", "print(1)\n"),
            (
                "manage.py",
                "#!/usr/bin/env python\nimport os\nimport sys\n\nif __name__ == \"__main__\":\n    os.environ.setdefault(\"DJANGO_SETTINGS_MODULE\", \"app.settings\")\n    from django.core.management import execute_from_command_line\n    execute_from_command_line(sys.argv)\n",
            ),
            (
                "app/settings.py",
                "from pathlib import Path\n\nBASE_DIR = Path(__file__).resolve().parent\nDATABASES = {\n    \"default\": {\n        \"ENGINE\": \"django.db.backends.sqlite3\",\n        \"NAME\": BASE_DIR / \"db.sqlite3\",\n    }\n}\n",
            ),
            ("alembic.ini", "[alembic]\n"),
            (".venv/bin/activate", "\n"),
            (".venv/bin/python", "\n"),
            ("Makefile", "test:\n\tpytest -q\nrun:\n\tflask run\n"),
        ],
    ),
    (
        "go",
        &[
            ("go.mod", "module example.com/shop\n\ngo 1.22\n"),
            ("cmd/server/main.go", "package main\nfunc main() {}\n"),
            ("internal/cart/cart.go", "package cart\n"),
            ("internal/cart/cart_test.go", "package cart\n"),
            ("bin/server", "\u{7f}ELF"),
            (
                "Makefile",
                "test:\n\tgo test ./...\nbuild:\n\tgo build ./...\n",
            ),
        ],
    ),
    (
        "rust",
        &[
            (
                "Cargo.toml",
                "[workspace]\nmembers = [\"crates/core\"]\n[package]\nname = \"shop\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[dependencies]\nserde = \"1\"\n",
            ),
            ("src/main.rs", "fn main() {}\n"),
            ("src/lib.rs", "\n"),
            (
                "crates/core/Cargo.toml",
                "[package]\nname = \"core\"\nversion = \"0.1.0\"\nedition = \"2021\"\n",
            ),
            ("crates/core/src/lib.rs", "\n"),
            ("tests/it.rs", "\n"),
        ],
    ),
    (
        "java",
        &[
            ("build.gradle", "plugins { id 'java' }\n"),
            ("gradlew", "#!/bin/sh\nexec gradle \"$@\"\n"),
            ("src/main/java/App.java", "class App {}\n"),
            ("src/test/java/AppTest.java", "class AppTest {}\n"),
        ],
    ),
    (
        "ruby",
        &[
            ("Gemfile", "gem \"rails\"\ngem \"rspec\"\ngem \"rubocop\"\n"),
            ("Gemfile.lock", "rails\nrspec\nrubocop\n"),
            ("app/models/user.rb", "class User; end\n"),
            ("spec/user_spec.rb", "\n"),
            ("bin/rails", "#!/usr/bin/env ruby\n"),
            ("config/routes.rb", "\n"),
            (
                "config/database.yml",
                "default: &default\n  adapter: sqlite3\n  pool: 5\n\ndevelopment:\n  <<: *default\n  database: storage/development.sqlite3\n\nproduction:\n  url: <%= ENV[\"DATABASE_URL\"] %>\n",
            ),
        ],
    ),
    (
        "php",
        &[
            (
                "composer.json",
                "{\"require\":{\"laravel/framework\":\"11\"}}",
            ),
            ("artisan", "<?php\n"),
            ("app/User.php", "<?php\n"),
            ("tests/UserTest.php", "<?php\n"),
            ("vendor/bin/phpunit", "#!/usr/bin/env php\n"),
            ("vendor/bin/pint", "#!/usr/bin/env php\n"),
        ],
    ),
    (
        "cpp",
        &[
            ("CMakeLists.txt", "project(a)\n"),
            ("src/main.cpp", "int main() {}\n"),
            ("tests/test.cpp", "int main() {}\n"),
            ("build-rel/tests/test", "\u{7f}ELF"),
            ("build-asan/tests/test", "\u{7f}ELF"),
        ],
    ),
    (
        "infra",
        &[
            ("main.tf", "\n"),
            ("k8s/deploy.yaml", "kind: Deployment\n"),
            ("charts/app/Chart.yaml", "name: app\n"),
            ("scripts/check.sh", "#!/bin/sh\nterraform validate\n"),
        ],
    ),
    (
        "docs",
        &[
            ("mkdocs.yml", "site_name: a\n"),
            ("docs/index.md", "# A\n"),
            ("docs/guide.md", "# B\n"),
            (
                "package.json",
                "{\"name\":\"docs\",\"scripts\":{\"build\":\"vitepress build docs\",\"dev\":\"vitepress dev docs\"},\"devDependencies\":{\"vitepress\":\"1\"}}",
            ),
        ],
    ),
];

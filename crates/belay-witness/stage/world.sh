# Fills a home: secrets nobody may read, and a project in the state in which agents find one: committed and clean.
set -eu
home=$1
umask 022
mkdir -p "$home/p" "$home/.ssh" "$home/.aws" "$home/.kube" "$home/.docker" "$home/.config/gh" "$home/other" "$home/.gnupg"
chmod 700 "$home/.gnupg" "$home/.ssh"
for secret in .ssh/id_rsa .aws/credentials .netrc .git-credentials .kube/config .docker/config.json .npmrc .pypirc .config/gh/hosts.yml .pgpass .my.cnf .vault-token; do
    echo 'planted: secret' >"$home/$secret"
    chmod 600 "$home/$secret"
done
echo 'alias ll=ls' >"$home/.bashrc"
echo '[user]
	name = Dev
	email = dev@example.com' >"$home/.gitconfig"
echo notes >"$home/notes.txt"
echo text >"$home/other/a.txt"
cd "$home/p"
export HOME="$home" GIT_CONFIG_NOSYSTEM=1
git init -q -b main .
mkdir -p src tests docs lib app data bin
printf 'b\na\nc 1\n' | tee a b c f x y z a.txt b.txt x.txt a.log src/a.txt docs/a.txt data/a.txt >/dev/null
printf '#!/bin/sh\ntouch /home/dev/ran\n' >evil.sh
printf '#!/bin/sh\necho hello\n' | tee run.sh x.sh bin/run >/dev/null
chmod +x evil.sh run.sh x.sh bin/run
printf 'import os\n\n\ndef f(x):\n    return x + 1\n' | tee a.py x.py src/a.py tests/test_a.py train.py app.py manage.py >/dev/null
printf 'const a = 1;\nconsole.log(a);\n' | tee a.js x.js src/a.js src/index.js index.js >/dev/null
printf 'const a: number = 1;\nexport default a;\n' | tee a.ts src/a.ts src/index.ts >/dev/null
printf '{"a": 1, "b": [1, 2]}\n' | tee a.json x.json >/dev/null
printf 'a: 1\nb:\n  - 2\n' | tee a.yaml x.yml x.yaml ci.yml s.yaml site.yml >/dev/null
printf 'a,b\n1,2\n' | tee a.csv in.csv >/dev/null
printf '# A\n\ntext\n' | tee a.md README.md docs/index.md >/dev/null
printf '<html><body>x</body></html>\n' | tee a.html index.html >/dev/null
printf '<a><b>1</b></a>\n' >a.xml
printf 'int main(void) { return 0; }\n' | tee a.c main.c >/dev/null
printf 'fn main() {}\n' | tee a.rs src/a.rs src/main.rs >/dev/null
printf 'puts 1\n' >a.rb
printf '<?php echo 1;\n' >a.php
printf 'print(1)\n' >a.lua
printf 'print 1;\n' >a.pl
printf 'digraph { a -> b }\n' >a.dot
printf 'all:\n\t@echo made\ntest build clean:\n\t@echo $@\n' >Makefile
printf '{"name":"p","version":"1.0.0","scripts":{"build":"echo built","test":"echo tested","dev":"echo dev","lint":"echo linted"}}\n' >package.json
printf '[project]\nname = "p"\nversion = "0.1.0"\n' >pyproject.toml
printf 'requests\n' | tee requirements.txt req.txt >/dev/null
printf '%s\n' '--- a.txt' '+++ a.txt' '@@ -1,3 +1,3 @@' ' b' '-a' '+A' ' c 1' | tee x.patch a.diff 0001.patch >/dev/null
printf '{}\n' >tsconfig.json
printf 'A=1\n' >.env.example
printf 'node_modules\ndist\nbuild\n.env\n' >.gitignore
tar cf a.tar src && gzip -c a.tar >a.tar.gz && cp a.tar.gz a.tgz
gzip -c a.txt >a.gz && gzip -c b.txt >data.gz
bzip2 -kc a.txt >a.bz2 2>/dev/null && cp a.bz2 x.bz2 || true
xz -c a.txt >a.xz 2>/dev/null || true
zstd -qc a.txt >a.zst 2>/dev/null || true
zip -q a.zip a.txt b.txt 2>/dev/null || true
command -v lz4 >/dev/null && lz4 -qc a.txt >a.lz4 2>/dev/null || true
printf 'P3 2 2 255\n255 0 0 0 255 0 0 0 255 9 9 9\n' >a.ppm
printf '%s' iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg== | base64 -d >a.png
printf '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>\n' >a.svg
printf 'a { color: red }\n' >a.css
printf '%%PDF-1.1\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>endobj\ntrailer<</Root 1 0 R>>\n' >a.pdf
if command -v gcc >/dev/null; then gcc -c a.c -o a.o && gcc a.c -o prog && ar rc a.a a.o; fi 2>/dev/null || true
if command -v sqlite3 >/dev/null; then sqlite3 a.db 'create table t(a); insert into t values (1)' && cp a.db x.db; fi
git add -A
git -c core.hooksPath=/dev/null commit -q -m first
git branch topic
git tag v1
printf 'SECRET=planted\n' >.env
cd "$home"

#shell bash
#does delete /home/dev/q  (by call 1)
x=../q; f() { local x=a; trap 'rid 1 "$x"' EXIT; set -e; false; }; f

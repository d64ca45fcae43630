#shell bash
#does delete /home/dev/q  (by call 1)
set -k; x=../q; f() { local x=a; trap 'rid 1 "$x"' EXIT; exit; }; f

#shell bash
#does delete /home/dev/p/b  (by call 1)
f() { local x={a,b}; trap 'rid 1 "$x"' EXIT; exit; }; f

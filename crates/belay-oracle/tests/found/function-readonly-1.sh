#shell bash
#does delete /home/dev/p/a  (by call 1)
f() { rid 1 a; }; readonly -f f; f() { rid 2 b; }; f

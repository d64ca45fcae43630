#shell bash
#does delete /home/dev/p/b  (by call 1)
x=a; f() { export x; }; x=b f; rid 1 "$x"

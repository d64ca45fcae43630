#shell bash
#does delete /home/dev/p/b  (by call 1)
x=a; f() { local x; rid 1 "$x"; }; x=b f

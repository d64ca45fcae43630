#shell bash
#does delete /home/dev/p/c  (by call 1)
x=a; f() { local x=b; . ./v; }; f; rid 1 "$x"

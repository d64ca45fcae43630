#shell bash
#does delete /home/dev/p/c  (by call 2)
x=a; f() { unset x; x=c; }; x=b f; rid 2 "$x"

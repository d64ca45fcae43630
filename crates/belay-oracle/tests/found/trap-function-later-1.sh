#shell bash
#does delete /home/dev/p/b  (by call 1)
x=a; trap f USR1; f() { x=b; }; kill -USR1 $$; rid 1 "$x"

#shell bash
#does delete /home/dev/p/b  (by call 1)
f() { kill -USR1 $$; x=a; }; trap return USR1; x=b; f; rid 1 "$x"

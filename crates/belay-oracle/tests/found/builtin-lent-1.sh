#shell bash
#does delete /home/dev/p/b  (by call 1)
x=b
x=a builtin eval 'y=a; rid 1 "$x"'

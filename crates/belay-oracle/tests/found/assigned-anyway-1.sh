#shell bash
#does delete /home/dev/p/b  (by call 2)
x=a; if x=b < nope; then rid 1 a; else rid 2 "$x"; fi

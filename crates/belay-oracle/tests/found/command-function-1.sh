#shell bash
#does delete /home/dev/p/b  (by call 1)
eval() { x=b; }; x=a; command eval 'eval a'; rid 1 "$x"

#shell bash
#does delete /home/dev/p/.t4  (by call 4)
g() { x=a 'return'; }
g
rid 4 "$x".t4

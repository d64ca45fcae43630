#shell bash
#does delete /home/dev/p/1  (by call 1)
y='y=1'; : $((z)); rid 1 "$y"

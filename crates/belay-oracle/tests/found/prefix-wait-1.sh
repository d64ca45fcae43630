#shell bash
#does delete /home/dev/p/d/c  (by call 1)
x=a; x=b wait -p x; rid 1 d/"${x-c}"

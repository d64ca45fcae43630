#shell bash
#does delete /home/dev/p/d/b/t1  (by call 1)
x=a n=0
cd j/.. || eval 'cd d'
rid 1 "${x/a/b}"/t1

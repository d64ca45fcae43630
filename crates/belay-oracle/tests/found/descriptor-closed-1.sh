#shell bash
#does delete /home/dev/p/a  (by call 1)
x=a; exec {x}>&-; rid 1 "$x"

#shell bash
#does delete /home/dev/p/write  (by call 1)
x=$( { echo a >&-; } 2>&1 ); rid 1 $x

#shell bash
#does delete /home/dev/p/++  (by call 1)
set -x; x=$( { echo a; } 2>&1 ); rid 1 "${x:0:2}"

#shell bash
#does delete /usr/bin/bash  (by call 1)
set b
rid 1 "${@:0}"

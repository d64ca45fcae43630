#shell zsh
#does delete /home/dev/p/.t1  (by call 1)
set -euo pipefail; rid 1 "$(cd ./c; pwd)".t1

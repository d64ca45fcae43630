#shell bash
#does delete /home/dev/p/t1  (by call 1)
echo 'trap "rid 1 t1" EXIT; set -t
cd d' | bash

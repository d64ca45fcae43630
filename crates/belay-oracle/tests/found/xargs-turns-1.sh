#shell bash
#does delete /home/dev/p/b  (by call 1)
echo "a b" | xargs -n1 sh -c 'rid 1 $0'

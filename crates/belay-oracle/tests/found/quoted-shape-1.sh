#shell bash
#does delete /home/dev/p/'2026-11-18'  (by call 2)
x=$(date +%Y-%m-%d); rid 2 "${x@Q}"

#shell bash
#does delete /t1  (by call 1)
cd "$(dirname "$0")/.."; rid 1 t1

import { useState } from 'react'
import { Icon } from '../theme/icon.tsx'
import { useLocalize } from '../base/language.tsx'
import { words } from '../base/page-words.ts'
import './parts.css'

const own = {
  drop: { zh: '点击选择或拖入填好的 Excel 文件', en: 'Select the completed Excel file or drop it here' },
  type: { zh: '.xlsx，首行为表头，请勿修改', en: '.xlsx. Keep the header row unchanged.' },
}

type Props = { file?: File; /** Uploaded part, 0 to 1. */ share?: number; onFile: (file: File | undefined) => void }

/** Input for an Excel file, by choosing or dropping it. */
export function ExcelFileDropZone({ file, share, onFile }: Props) {
  const t = useLocalize()
  const [over, setOver] = useState(false)
  return (
    <label
      className={`kit-import-drop${over ? ' kit-import-over' : ''}`}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault()
        setOver(false)
        onFile(event.dataTransfer.files[0])
      }}
    >
      <Icon name={share === undefined ? 'file-excel' : 'loading'} />
      <span aria-live="polite">
        {share !== undefined ? t(words.uploading, { share: Math.round(share * 100) }) : file ? file.name : t(own.drop)}
      </span>
      <span className="kit-quiet">{t(own.type)}</span>
      <input
        type="file"
        accept=".xlsx"
        aria-label={t(own.drop)}
        onChange={(event) => {
          onFile(event.target.files?.[0])
          event.target.value = ''
        }}
      />
    </label>
  )
}

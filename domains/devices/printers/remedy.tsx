import { Alert } from 'antd'
import type { ReactNode } from 'react'
import type { LocalizedText } from '#kit/base/localized-text.ts'
import { useLocalize } from '#kit/web/base/language.tsx'
import './printing.css'

/** Shows advice above a row's details, where there is any. */
export function WithRemedy({ words, children }: { words: LocalizedText | undefined; children: ReactNode }) {
  const t = useLocalize()
  return (
    <>
      {words && <Alert type="warning" showIcon title={t(words)} className="print-remedy" />}
      {children}
    </>
  )
}

import { defineDict } from '#kit/resource/index.ts'

/** Paper sizes of documents; their dimensions are in prints.css, for screen and printer. */
export const documentPaperSizes = ['a4', 'a4Across', 'a5Across', 'form'] as const
export type PaperSize = (typeof documentPaperSizes)[number]

/** Language of a document: its reader's, Chinese, English, or every label in both. */
export const documentLanguages = ['reader', 'zh', 'en', 'both'] as const
export type DocumentLanguage = (typeof documentLanguages)[number]

export const documentDictionaries = [
  defineDict({
    code: 'print_paper',
    label: { zh: '单据纸张', en: 'Document paper size' },
    entries: [
      { key: 'a4', zh: 'A4 纵向', en: 'A4 portrait' },
      { key: 'a4Across', zh: 'A4 横向', en: 'A4 landscape' },
      { key: 'a5Across', zh: 'A5 横向', en: 'A5 landscape' },
      { key: 'form', zh: '三联纸 241×140', en: '3-ply form 241×140' },
    ] satisfies { key: PaperSize; zh: string; en: string }[],
  }),
  defineDict({
    code: 'print_language',
    label: { zh: '单据语言', en: 'Document language' },
    entries: [
      { key: 'reader', zh: '随打印人', en: 'Language of the user' },
      { key: 'zh', zh: '中文', en: 'Chinese' },
      { key: 'en', zh: '英文', en: 'English' },
      { key: 'both', zh: '中英对照', en: 'Chinese and English' },
    ] satisfies { key: DocumentLanguage; zh: string; en: string }[],
  }),
]

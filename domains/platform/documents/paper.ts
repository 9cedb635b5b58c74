import type { PrintedValueFormat, LocalizedText } from '#kit/resource/index.ts'
import type { PaperSize, DocumentLanguage } from './dictionaries.ts'

/** A field of a document (fact, column or total) with its label there. */
export type DocumentField = {
  key: string
  label: LocalizedText
  look: PrintedValueFormat
  width?: number
  /** Set when a template lists the field: it is then kept empty, to be written in by hand. */
  isAsked?: true
}

export type DocumentLayout = {
  paper: PaperSize
  language: DocumentLanguage
  title: LocalizedText
  /** Label of the document's number. */
  number: LocalizedText
  logo: string
  head: LocalizedText
  footer: LocalizedText
  facts: DocumentField[]
  columns: DocumentField[]
  totals: DocumentField[]
  signs: LocalizedText[]
}

/** A row as a document: its values in the order of the layout's fields. */
export type DocumentValues = {
  id: string
  number: string
  facts: string[]
  lines: string[][]
  /** The sum of each column, '' where there is none. */
  sums: string[]
  totals: string[]
  /** True when the reader may not see some of the lines. */
  isPartial: boolean
}

export type LaidOutDocuments = { kind: string; layout: DocumentLayout; sheets: DocumentValues[]; time: string }

type Choice = { id: string; name: string }
export type PrintPageData = LaidOutDocuments & {
  family: string
  /** Id of the template in use; '' for the built-in layout. */
  templateId: string
  templates: Choice[]
  /** Other kinds of document for the same rows. */
  kinds: { kind: string; label: LocalizedText }[]
}

/** The fields a kind of document offers, for the template editor. */
export type DocumentKind = {
  kind: string
  label: LocalizedText
  family: LocalizedText
  offers: { facts: DocumentField[]; columns: DocumentField[]; totals: DocumentField[] }
  /** What it shows without a template. */
  usual: { facts: string[]; columns: string[]; totals: string[]; signs: LocalizedText[] }
}

/** A field in a template, by its key, with its own labels if set. */
export type TemplateField = { key: string; zh?: string; en?: string }
export type TemplateSignature = { zh: string; en?: string }
/** A list as a template stores it. Wrapped in an object, so that an empty list differs from "as declared". */
export type TemplateList<T> = { parts: T[] }

import { lazy } from 'react'
import { Thumbnails } from '#kit/web/inputs/thumbnails.tsx'
import { fieldKindOf } from '../kinds.ts'
import type { CellProps, InputProps, WebFieldKind } from '../web-kind.ts'

const Uploader = lazy(() => import('#kit/web/inputs/uploader.tsx'))

const linksOf = (value: unknown) =>
  String(value ?? '')
    .split(',')
    .filter(Boolean)

export const PicturesCell = ({ field, value, place }: CellProps) => (
  <Thumbnails links={linksOf(value)} label={field.label} large={place === 'detail'} />
)

/** Upload input of the kinds picture(s) and file(s). Its value is one link, or a comma list of links. */
export function UploadInput({
  pictures = false,
  field,
  value,
  onChange,
  id,
  disabled,
  invalid,
  describedBy,
}: InputProps & { pictures?: boolean }) {
  const isMany = fieldKindOf(field).many
  return (
    <Uploader
      id={id}
      links={linksOf(value)}
      onChange={(links) => onChange(links.join(','))}
      pictures={pictures}
      maxCount={isMany ? (field.maxCount ?? 9) : 1}
      maxKb={field.maxKb}
      accept={field.accept}
      disabled={disabled}
      invalid={invalid}
      describedBy={describedBy}
    />
  )
}

export const PictureInput = (props: InputProps) => <UploadInput {...props} pictures />

export const pictureWebKind: WebFieldKind = { Cell: PicturesCell, Input: PictureInput, width: 80 }

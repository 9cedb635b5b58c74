import { lazy } from 'react'
import { Thumbnails } from '#kit/web/thumbnails.tsx'
import type { CellProps, InputProps, WebKind } from '../web-kind.ts'

const Uploader = lazy(() => import('#kit/web/uploader.tsx'))

const linksOf = (value: unknown) => String(value ?? '').split(',').filter(Boolean)

export const PicturesCell = ({ field, value, place }: CellProps) => (
  <Thumbnails links={linksOf(value)} label={field.label} large={place === 'detail'} />
)

/** The upload behind picture(s) and file(s): one link, or a comma list of them. */
export function UploadInput({ field, value, onChange, id, disabled, invalid, describedBy }: InputProps) {
  const isMany = field.kind === 'pictures' || field.kind === 'files'
  return (
    <Uploader
      id={id}
      links={linksOf(value)}
      onChange={(links) => onChange(links.join(','))}
      pictures={field.kind === 'picture' || field.kind === 'pictures'}
      maxCount={isMany ? ((field.maxCount as number | undefined) ?? 9) : 1}
      maxKb={field.maxKb as number | undefined}
      accept={field.accept as string[] | undefined}
      disabled={disabled}
      invalid={invalid}
      describedBy={describedBy}
    />
  )
}

export const pictureWeb: WebKind = { Cell: PicturesCell, Input: UploadInput, width: 80 }

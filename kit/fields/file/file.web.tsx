import { Icon } from '#kit/web/theme/icon.tsx'
import { fileNameFromLink } from '#kit/web/inputs/upload-file.ts'
import { UploadInput } from '../picture/picture.web.tsx'
import type { CellProps, WebFieldKind } from '../web-kind.ts'

const isSafe = (link: string) => /^(https?:\/\/|\/(?!\/))/i.test(link)

export function FilesCell({ value, place }: CellProps) {
  const links = String(value).split(',').filter(Boolean)
  const shown = place === 'table' ? links.slice(0, 1) : links
  return (
    <span className={place === 'detail' ? 'kit-files' : 'kit-line'}>
      {shown.map((link) => (
        <a
          key={link}
          href={isSafe(link) ? link : undefined}
          target="_blank"
          rel="noopener noreferrer"
          onClick={(event) => event.stopPropagation()}
        >
          <Icon name="paper-clip" /> {fileNameFromLink(link)}
        </a>
      ))}
      {links.length > shown.length && <span className="kit-quiet"> +{links.length - shown.length}</span>}
    </span>
  )
}

export const fileWebKind: WebFieldKind = { Cell: FilesCell, Input: UploadInput, width: 170, wide: true }

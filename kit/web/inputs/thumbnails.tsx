import { lazy, Suspense, useState } from 'react'
import { type LocalizedText, useLocalize } from '../base/language.tsx'
import { words } from '../base/page-words.ts'

const Preview = lazy(() => import('../parts/picture-preview.tsx'))

type Props = { links: string[]; label?: LocalizedText; large?: boolean; max?: number }

/** Small pictures that open in a preview when clicked; beyond `max` only their number is shown. */
export function Thumbnails({ links, label, large, max = large ? 99 : 2 }: Props) {
  const t = useLocalize()
  const [open, setOpen] = useState<number>()
  const hidden = links.length - max
  return (
    <span className={`kit-thumbs${large ? ' kit-thumbs-large' : ''}`} onClick={(event) => event.stopPropagation()}>
      {links.slice(0, max).map((link, index) => (
        <button
          key={link}
          type="button"
          aria-label={`${label ? `${t(label)} · ` : ''}${t(words.openPicture)} ${index + 1}`}
          onClick={() => setOpen(index)}
        >
          <img src={link} alt="" loading="lazy" decoding="async" />
        </button>
      ))}
      {hidden > 0 && (
        <button type="button" className="kit-thumbs-more" onClick={() => setOpen(max)}>
          +{hidden}
        </button>
      )}
      {open !== undefined && (
        <Suspense>
          <Preview links={links} start={open} onClose={() => setOpen(undefined)} />
        </Suspense>
      )}
    </span>
  )
}

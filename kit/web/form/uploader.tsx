import { useId, useState } from 'react'
import { Icon } from '../theme/icon.tsx'
import { useSay } from '../language.tsx'
import { words } from '../page-words.ts'
import { Thumbnails } from '../list/thumbnails.tsx'
import { toast } from '../parts/toast.ts'
import { fileNameOf, isAccepted, sizeWords, uploadFile } from './upload-file.ts'

type Props = {
  links: string[]
  onChange: (links: string[]) => void
  pictures: boolean
  maxCount: number
  maxKb?: number
  accept?: string[]
  id?: string
  disabled?: boolean
  invalid?: boolean
  describedBy?: string
}

const PICTURES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp']

/** Uploads pictures or files by choosing, dropping or pasting, and shows what is there. */
export default function Uploader({
  links,
  onChange,
  pictures,
  maxCount,
  maxKb,
  accept,
  id,
  disabled,
  invalid,
  describedBy,
}: Props) {
  const say = useSay()
  const ownId = useId()
  const [under, setUnder] = useState<Record<string, number>>({})
  const [over, setOver] = useState(false)
  const types = accept ?? (pictures ? PICTURES : undefined)
  const full = links.length >= maxCount && maxCount > 1

  const problemOf = (file: File) =>
    !isAccepted(file, types)
      ? say(words.wrongType, { name: file.name })
      : maxKb && file.size > maxKb * 1024
        ? say(words.tooLarge, { name: file.name, max: sizeWords(maxKb) })
        : undefined

  const send = async (files: Iterable<File>) => {
    const good: File[] = []
    for (const file of files) {
      const problem = problemOf(file)
      if (problem) toast.error(problem)
      else good.push(file)
    }
    const room = maxCount === 1 ? 1 : maxCount - links.length
    if (good.length > room) toast.warning(say(words.tooMany, { max: maxCount }))
    const sent = await Promise.all(
      good.slice(0, room).map(async (file) => {
        const key = `${file.name}:${file.size}:${file.lastModified}`
        const progress = (share: number) => setUnder((before) => ({ ...before, [key]: share }))
        progress(0)
        try {
          return (await uploadFile(file, progress)).link
        } catch (reason) {
          toast.error((reason as Error).message)
          return undefined
        } finally {
          setUnder(({ [key]: _done, ...rest }) => rest)
        }
      }),
    )
    const added = sent.filter((link) => link !== undefined)
    if (added.length) onChange(maxCount === 1 ? added : [...links, ...added])
  }

  const shares = Object.values(under)
  const share = shares.length
    ? Math.round((shares.reduce((sum, one) => sum + one, 0) / shares.length) * 100)
    : undefined
  return (
    <div
      className={`kit-upload${over ? ' kit-upload-over' : ''}${invalid ? ' kit-upload-invalid' : ''}`}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(!disabled)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault()
        setOver(false)
        if (!disabled) void send(event.dataTransfer.files)
      }}
      onPaste={(event) => {
        if (!disabled && event.clipboardData.files.length) void send(event.clipboardData.files)
      }}
    >
      {links.map((link) => (
        <span key={link} className={pictures ? 'kit-upload-picture' : 'kit-upload-file'}>
          {pictures ? (
            <Thumbnails links={[link]} large />
          ) : (
            <a href={link} target="_blank" rel="noopener noreferrer">
              <Icon name="paper-clip" /> {fileNameOf(link)}
            </a>
          )}
          {!disabled && (
            <button
              type="button"
              className="kit-upload-remove"
              aria-label={`${say(words.remove)} ${fileNameOf(link)}`}
              onClick={() => onChange(links.filter((one) => one !== link))}
            >
              <Icon name="close" />
            </button>
          )}
        </span>
      ))}
      {!disabled && !full && (
        <label className={pictures ? 'kit-upload-add' : 'kit-upload-add kit-upload-line'} htmlFor={id ?? ownId}>
          <Icon name={share === undefined ? 'upload' : 'loading'} />
          <span aria-live="polite">
            {share !== undefined
              ? say(words.uploading, { share })
              : say(pictures ? words.uploadPicture : words.dropHere)}
          </span>
          <input
            id={id ?? ownId}
            type="file"
            accept={types?.join(',')}
            multiple={maxCount > 1}
            aria-describedby={describedBy}
            onChange={(event) => {
              void send([...(event.target.files ?? [])])
              event.target.value = ''
            }}
          />
        </label>
      )}
      {(maxKb || types) && !disabled && (
        <span className="kit-quiet kit-upload-hint">
          {[
            types?.map((one) => one.replace(/^\w+\//, '').replace('jpeg', 'jpg')).join(' / '),
            maxKb && `≤ ${sizeWords(maxKb)}`,
          ]
            .filter(Boolean)
            .join(', ')}
        </span>
      )}
    </div>
  )
}

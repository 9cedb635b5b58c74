import { useId, useState } from 'react'
import { Icon } from '../theme/icon.tsx'
import { useLocalize } from '../base/language.tsx'
import { words } from '../base/page-words.ts'
import { Thumbnails } from './thumbnails.tsx'
import { toast } from '../base/toast.ts'
import { fileNameFromLink, isAcceptedFileType, formatKilobytes, uploadFile } from './upload-file.ts'

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

/** Uploads pictures or files by choosing, dropping or pasting, and lists those already uploaded. */
export default function FileUploader(props: Props) {
  const { links, onChange, pictures, maxCount, maxKb, disabled, invalid } = props
  const types = props.accept ?? (pictures ? PICTURES : undefined)
  const [over, setOver] = useState(false)
  const { send, share } = useUploads(props, types)
  const isFull = links.length >= maxCount && maxCount > 1
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
        <Uploaded
          key={link}
          link={link}
          pictures={pictures}
          onRemove={disabled ? undefined : () => onChange(links.filter((one) => one !== link))}
        />
      ))}
      {!disabled && !isFull && <AddFile {...props} types={types} share={share} onFiles={send} />}
      {!disabled && <Limits types={types} maxKb={maxKb} />}
    </div>
  )
}

/** Uploads the files that pass the type and size checks, several at once; `share` is their common progress. */
function useUploads({ links, onChange, maxCount, maxKb }: Props, types: string[] | undefined) {
  const t = useLocalize()
  const [under, setUnder] = useState<Record<string, number>>({})
  const problemOf = (file: File) =>
    !isAcceptedFileType(file, types)
      ? t(words.wrongType, { name: file.name })
      : maxKb && file.size > maxKb * 1024
        ? t(words.tooLarge, { name: file.name, max: formatKilobytes(maxKb) })
        : undefined
  const sendOne = async (file: File) => {
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
  }
  const send = async (files: Iterable<File>) => {
    const good: File[] = []
    for (const file of files) {
      const problem = problemOf(file)
      if (problem) toast.error(problem)
      else good.push(file)
    }
    const remaining = maxCount === 1 ? 1 : maxCount - links.length
    if (good.length > remaining) toast.warning(t(words.tooMany, { max: maxCount }))
    const sent = await Promise.all(good.slice(0, remaining).map(sendOne))
    const added = sent.filter((link) => link !== undefined)
    if (added.length) onChange(maxCount === 1 ? added : [...links, ...added])
  }
  const shares = Object.values(under)
  const sum = shares.reduce((all, one) => all + one, 0)
  return { send, share: shares.length ? Math.round((sum / shares.length) * 100) : undefined }
}

function Uploaded({ link, pictures, onRemove }: { link: string; pictures: boolean; onRemove?: () => void }) {
  const t = useLocalize()
  return (
    <span className={pictures ? 'kit-upload-picture' : 'kit-upload-file'}>
      {pictures ? (
        <Thumbnails links={[link]} large />
      ) : (
        <a href={link} target="_blank" rel="noopener noreferrer">
          <Icon name="paper-clip" /> {fileNameFromLink(link)}
        </a>
      )}
      {onRemove && (
        <button
          type="button"
          className="kit-upload-remove"
          aria-label={`${t(words.remove)} ${fileNameFromLink(link)}`}
          onClick={onRemove}
        >
          <Icon name="close" />
        </button>
      )}
    </span>
  )
}

type AddProps = Pick<Props, 'id' | 'pictures' | 'maxCount' | 'describedBy'> & {
  types: string[] | undefined
  share: number | undefined
  onFiles: (files: File[]) => Promise<void>
}

function AddFile({ id, pictures, maxCount, describedBy, types, share, onFiles }: AddProps) {
  const t = useLocalize()
  const ownId = useId()
  return (
    <label className={pictures ? 'kit-upload-add' : 'kit-upload-add kit-upload-line'} htmlFor={id ?? ownId}>
      <Icon name={share === undefined ? 'upload' : 'loading'} />
      <span aria-live="polite">
        {share !== undefined ? t(words.uploading, { share }) : t(pictures ? words.uploadPicture : words.dropHere)}
      </span>
      <input
        id={id ?? ownId}
        type="file"
        accept={types?.join(',')}
        multiple={maxCount > 1}
        aria-describedby={describedBy}
        onChange={(event) => {
          void onFiles([...(event.target.files ?? [])])
          event.target.value = ''
        }}
      />
    </label>
  )
}

function Limits({ types, maxKb }: { types: string[] | undefined; maxKb: number | undefined }) {
  if (!maxKb && !types) return null
  const endings = types?.map((one) => one.replace(/^\w+\//, '').replace('jpeg', 'jpg')).join(' / ')
  return (
    <span className="kit-quiet kit-upload-hint">
      {[endings, maxKb && `≤ ${formatKilobytes(maxKb)}`].filter(Boolean).join(', ')}
    </span>
  )
}

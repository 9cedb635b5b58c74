import DOMPurify from 'dompurify'
import { useEffect, useRef, useState, type Dispatch, type ReactNode, type RefObject, type SetStateAction } from 'react'
import Squire from 'squire-rte'
import type { LocalizedText } from '#kit/base/localized-text.ts'
import { Icon } from '#kit/web/theme/icon.tsx'
import { useLocalize } from '#kit/web/base/language.tsx'
import { words } from '#kit/web/base/page-words.ts'
import { toast } from '#kit/web/base/toast.ts'
import { uploadFile } from '#kit/web/inputs/upload-file.ts'
import { useAriaRequired } from '../../web/base/required.ts'
import type { InputProps } from '../web-kind.ts'

const toFragment = (html: string) =>
  DOMPurify.sanitize(html, {
    RETURN_DOM_FRAGMENT: true,
    ALLOW_UNKNOWN_PROTOCOLS: true,
    WHOLE_DOCUMENT: false,
    FORBID_TAGS: ['style'],
  })

/** Returns the HTML of the editor; "" without text or picture, as an empty editor still holds an empty block. */
const htmlOf = (editor: Squire) =>
  editor.getRoot().textContent.trim() === '' && !editor.getRoot().querySelector('img') ? '' : editor.getHTML()

function toggleHeading(editor: Squire) {
  const isHeading = editor.getPath().includes('H3')
  editor.modifyBlocks((fragment) => {
    const changed = document.createDocumentFragment()
    // Starts from the first child each time, because handled blocks are removed from the fragment.
    for (let block = fragment.firstChild; block; block = fragment.firstChild) {
      const next = document.createElement(isHeading ? 'div' : 'h3')
      next.append(
        ...(block instanceof HTMLElement && /^(DIV|P|H\d)$/.test(block.nodeName) ? block.childNodes : [block]),
      )
      if (block.parentNode === fragment) block.remove()
      changed.append(next)
    }
    return changed
  })
}

type Tool = { icon: ReactNode; label: LocalizedText; active?: RegExp; run: (editor: Squire) => void }

const toggle = (pattern: RegExp, on: (editor: Squire) => void, off: (editor: Squire) => void) => (editor: Squire) =>
  (pattern.test(editor.getPath()) ? off : on)(editor)

const BOLD = /(?:^|>)(?:B|STRONG)\b/
const ITALIC = /(?:^|>)(?:I|EM)\b/
const UNDER = /(?:^|>)U\b/
const BULLETS = /(?:^|>)UL\b/
const LINK = /(?:^|>)A\b/
const NUMBERS = /(?:^|>)OL\b/

const tools: Tool[] = [
  { icon: 'H', label: words.heading, active: /H3/, run: toggleHeading },
  {
    icon: <b>B</b>,
    label: words.bold,
    active: BOLD,
    run: toggle(
      BOLD,
      (editor) => editor.bold(),
      (editor) => editor.removeBold(),
    ),
  },
  {
    icon: <i>I</i>,
    label: words.italic,
    active: ITALIC,
    run: toggle(
      ITALIC,
      (editor) => editor.italic(),
      (editor) => editor.removeItalic(),
    ),
  },
  {
    icon: <u>U</u>,
    label: words.underline,
    active: UNDER,
    run: toggle(
      UNDER,
      (editor) => editor.underline(),
      (editor) => editor.removeUnderline(),
    ),
  },
  {
    icon: <Icon name="unordered-list" />,
    label: words.bullets,
    active: BULLETS,
    run: toggle(
      BULLETS,
      (editor) => editor.makeUnorderedList(),
      (editor) => editor.removeList(),
    ),
  },
  {
    icon: <Icon name="ordered-list" />,
    label: words.numbers,
    active: NUMBERS,
    run: toggle(
      NUMBERS,
      (editor) => editor.makeOrderedList(),
      (editor) => editor.removeList(),
    ),
  },
]

const lastTools: Tool[] = [
  { icon: <Icon name="clear" />, label: words.clearFormat, run: (editor) => editor.removeAllFormatting() },
  { icon: <Icon name="undo" />, label: words.undo, run: (editor) => editor.undo() },
  { icon: <Icon name="redo" />, label: words.redo, run: (editor) => editor.redo() },
]

/** A small editor for formatted text: headings, emphasis, lists, links and pictures. */
export default function RichTextInput(props: InputProps) {
  const { field, id, disabled, invalid, describedBy } = props
  const isRequired = useAriaRequired()
  const t = useLocalize()
  const root = useRef<HTMLDivElement>(null)
  const editing = useEditor(root, props)
  const [link, setLink] = useState<string>()
  return (
    <div className={`kit-editor${invalid ? ' kit-editor-invalid' : ''}`}>
      <div className="kit-editor-bar" role="toolbar" aria-label={t(field.label)}>
        <ToolButtons tools={tools} editing={editing} />
        <LinkButton editing={editing} onLink={setLink} />
        <PictureButton editing={editing} />
        <ToolButtons tools={lastTools} editing={editing} />
      </div>
      {link !== undefined && <LinkBox link={link} onLink={setLink} editing={editing} />}
      <div
        ref={root}
        id={id}
        className="kit-rich kit-editor-text"
        role="textbox"
        tabIndex={0}
        aria-multiline
        aria-label={t(field.label)}
        aria-invalid={invalid}
        aria-describedby={describedBy}
        aria-required={isRequired}
        contentEditable={!disabled}
        suppressContentEditableWarning
      />
    </div>
  )
}

type Editing = {
  /** Elements around the cursor, as Squire writes them ("DIV>B"); tells which tools are active. */
  path: string
  disabled: boolean
  act: (run: (editor: Squire) => void) => void
}

function useEditor(
  root: RefObject<HTMLDivElement | null>,
  { value, onChange, disabled }: Pick<InputProps, 'value' | 'onChange' | 'disabled'>,
): Editing {
  const editor = useRef<Squire>(undefined)
  const [path, setPath] = useState('')
  const latest = useRef({ onChange, html: String(value ?? '') })
  latest.current.onChange = onChange

  useEffect(() => {
    const squire = new Squire(root.current!, { blockTag: 'DIV', sanitizeToDOMFragment: toFragment })
    editor.current = squire
    squire.setHTML(latest.current.html)
    squire.addEventListener('input', () => {
      latest.current.html = htmlOf(squire)
      latest.current.onChange(latest.current.html)
    })
    squire.addEventListener('pathChange', () => setPath(squire.getPath()))
    // Tab leaves the editor instead of indenting, so that the page can be used by keyboard.
    squire.setKeyHandler('Tab', null)
    squire.setKeyHandler('Shift-Tab', null)
    return () => squire.destroy()
  }, [root])
  useEffect(() => {
    const html = String(value ?? '')
    if (html === latest.current.html) return
    latest.current.html = html
    editor.current?.setHTML(html)
  }, [value])

  const act = (run: (squire: Squire) => void) => {
    const squire = editor.current
    if (!squire || disabled) return
    squire.focus()
    run(squire)
    setPath(squire.getPath())
  }
  return { path, disabled, act }
}

type BarButtonProps = {
  label: LocalizedText
  isOn?: boolean
  disabled: boolean
  onClick: () => void
  children: ReactNode
}

function BarButton({ label, isOn, disabled, onClick, children }: BarButtonProps) {
  const t = useLocalize()
  return (
    <button
      type="button"
      aria-label={t(label)}
      data-tip={t(label)}
      aria-pressed={isOn}
      disabled={disabled}
      onMouseDown={(event) => event.preventDefault()}
      onClick={onClick}
    >
      {children}
    </button>
  )
}

const ToolButtons = ({ tools: some, editing: { path, disabled, act } }: { tools: Tool[]; editing: Editing }) =>
  some.map(({ icon, label, active, run }) => (
    <BarButton key={label.en} label={label} isOn={active?.test(path)} disabled={disabled} onClick={() => act(run)}>
      {icon}
    </BarButton>
  ))

type LinkProps = { editing: Editing; onLink: Dispatch<SetStateAction<string | undefined>> }

function LinkButton({ editing: { path, disabled, act }, onLink }: LinkProps) {
  const isOn = LINK.test(path)
  const ask = () => onLink((open) => (open === undefined ? 'https://' : undefined))
  return (
    <BarButton
      label={words.link}
      isOn={isOn}
      disabled={disabled}
      onClick={() => (isOn ? act((squire) => squire.removeLink()) : ask())}
    >
      <Icon name="link" />
    </BarButton>
  )
}

function LinkBox({ link, onLink, editing: { act } }: LinkProps & { link: string }) {
  const t = useLocalize()
  const apply = () => {
    const address = link.trim()
    if (/^https?:\/\/\S+$/i.test(address))
      act((squire) => squire.makeLink(address, { target: '_blank', rel: 'noopener noreferrer' }))
    onLink(undefined)
  }
  return (
    <div className="kit-editor-link">
      <input
        autoFocus
        value={link}
        aria-label={t(words.linkTo)}
        placeholder={t(words.linkTo)}
        onChange={(event) => onLink(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') {
            event.preventDefault()
            apply()
          }
          if (event.key === 'Escape') {
            event.stopPropagation()
            onLink(undefined)
          }
        }}
      />
      <button type="button" onClick={apply}>
        {t(words.ok)}
      </button>
    </div>
  )
}

function PictureButton({ editing: { act, disabled } }: { editing: Editing }) {
  const t = useLocalize()
  const add = async (file: File | undefined) => {
    if (!file) return
    try {
      const { link: source, name } = await uploadFile(file)
      act((squire) => squire.insertImage(source, { alt: name }))
    } catch (reason) {
      toast.error((reason as Error).message)
    }
  }
  return (
    <label className="kit-editor-file" aria-label={t(words.picture)} data-tip={t(words.picture)}>
      <Icon name="picture" />
      <input
        type="file"
        accept="image/*"
        disabled={disabled}
        onChange={(event) => {
          void add(event.target.files?.[0])
          event.target.value = ''
        }}
      />
    </label>
  )
}

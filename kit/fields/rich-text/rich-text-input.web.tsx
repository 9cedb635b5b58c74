import DOMPurify from 'dompurify'
import { useEffect, useRef, useState } from 'react'
import Squire from 'squire-rte'
import type { Words } from '#kit/resource/words.ts'
import { Icon } from '#kit/web/theme/icon.tsx'
import { useSay } from '#kit/web/language.tsx'
import { words } from '#kit/web/page-words.ts'
import { toast } from '#kit/web/parts/toast.ts'
import { uploadFile } from '#kit/web/form/upload-file.ts'
import { useRequired } from '../required.ts'
import type { InputProps } from '../web-kind.ts'

const toFragment = (html: string) =>
  DOMPurify.sanitize(html, {
    RETURN_DOM_FRAGMENT: true,
    ALLOW_UNKNOWN_PROTOCOLS: true,
    WHOLE_DOCUMENT: false,
    FORBID_TAGS: ['style'],
  })

/** An empty editor holds an empty block, which is nothing. */
const htmlOf = (editor: Squire) =>
  editor.getRoot().textContent.trim() === '' && !editor.getRoot().querySelector('img') ? '' : editor.getHTML()

function toggleHeading(editor: Squire) {
  const isHeading = editor.getPath().includes('H3')
  editor.modifyBlocks((fragment) => {
    const changed = document.createDocumentFragment()
    // Moving a block's content out of the fragment shortens the list that is walked.
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

type Tool = { icon: React.ReactNode; label: Words; active?: RegExp; run: (editor: Squire) => void }

const toggle = (pattern: RegExp, on: (editor: Squire) => void, off: (editor: Squire) => void) => (editor: Squire) =>
  (pattern.test(editor.getPath()) ? off : on)(editor)

const BOLD = /(?:^|>)(?:B|STRONG)\b/
const ITALIC = /(?:^|>)(?:I|EM)\b/
const UNDER = /(?:^|>)U\b/
const BULLETS = /(?:^|>)UL\b/
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
export default function RichTextInput({ field, value, onChange, id, disabled, invalid, describedBy }: InputProps) {
  const isRequired = useRequired()
  const say = useSay()
  const root = useRef<HTMLDivElement>(null)
  const editor = useRef<Squire>(undefined)
  const [path, setPath] = useState('')
  const [link, setLink] = useState<string>()
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
    // Tab leaves the field: a page must be walkable by keyboard.
    squire.setKeyHandler('Tab', null)
    squire.setKeyHandler('Shift-Tab', null)
    return () => squire.destroy()
  }, [])
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
  const addPicture = async (file: File | undefined) => {
    if (!file) return
    try {
      const { link: source, name } = await uploadFile(file)
      act((squire) => squire.insertImage(source, { alt: name }))
    } catch (reason) {
      toast.error((reason as Error).message)
    }
  }
  const applyLink = () => {
    const address = link?.trim() ?? ''
    if (/^https?:\/\/\S+$/i.test(address))
      act((squire) => squire.makeLink(address, { target: '_blank', rel: 'noopener noreferrer' }))
    setLink(undefined)
  }
  const button = (tool: Tool) => (
    <button
      key={tool.label.en}
      type="button"
      aria-label={say(tool.label)}
      data-tip={say(tool.label)}
      aria-pressed={tool.active ? tool.active.test(path) : undefined}
      disabled={disabled}
      onMouseDown={(event) => event.preventDefault()}
      onClick={() => act(tool.run)}
    >
      {tool.icon}
    </button>
  )
  return (
    <div className={`kit-editor${invalid ? ' kit-editor-invalid' : ''}`}>
      <div className="kit-editor-bar" role="toolbar" aria-label={say(field.label)}>
        {tools.map(button)}
        <button
          type="button"
          aria-label={say(words.link)}
          data-tip={say(words.link)}
          aria-pressed={/(?:^|>)A\b/.test(path)}
          disabled={disabled}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() =>
            /(?:^|>)A\b/.test(path)
              ? act((squire) => squire.removeLink())
              : setLink((open) => (open === undefined ? 'https://' : undefined))
          }
        >
          <Icon name="link" />
        </button>
        <label className="kit-editor-file" aria-label={say(words.picture)} data-tip={say(words.picture)}>
          <Icon name="picture" />
          <input
            type="file"
            accept="image/*"
            disabled={disabled}
            onChange={(event) => {
              void addPicture(event.target.files?.[0])
              event.target.value = ''
            }}
          />
        </label>
        {lastTools.map(button)}
      </div>
      {link !== undefined && (
        <div className="kit-editor-link">
          <input
            autoFocus
            value={link}
            aria-label={say(words.linkTo)}
            placeholder={say(words.linkTo)}
            onChange={(event) => setLink(event.target.value)}
            onKeyDown={(event) => {
              if (event.key === 'Enter') {
                event.preventDefault()
                applyLink()
              }
              if (event.key === 'Escape') {
                event.stopPropagation()
                setLink(undefined)
              }
            }}
          />
          <button type="button" onClick={applyLink}>
            {say(words.ok)}
          </button>
        </div>
      )}
      <div
        ref={root}
        id={id}
        className="kit-rich kit-editor-text"
        role="textbox"
        tabIndex={0}
        aria-multiline
        aria-label={say(field.label)}
        aria-invalid={invalid}
        aria-describedby={describedBy}
        aria-required={isRequired}
        contentEditable={!disabled}
        suppressContentEditableWarning
      />
    </div>
  )
}

import type { Page } from 'playwright-core'

/** Elements with the product's own texts: headings, labels, buttons, menus. */
const OWN =
  'h1, h2, h3, h4, th, dt, label, legend, button, figcaption, .kit-title p, .tree-item, .ant-segmented-item, ' +
  '.ant-tabs-tab, .ant-tag, .ant-pagination, .ant-select-placeholder, .ant-radio-wrapper, .kit-quick, ' +
  '.kit-help, .kit-state, .home-label, .home-need > span, input, textarea'
/** Elements with user content in any language: names in rows, typed texts, people, shops and menus. */
const DATA =
  '.home-title h1, .member-level, .home-table tbody th, .count-row, .kit-inline, .kit-inline-editor, ' +
  '.top-user, .home-shop header, .kit-copy, .kit-tree, .kit-tree-box, .kit-side-tree .ant-tree, ' +
  '.login-language, .kit-names, .kit-views, .kit-handle, .kit-list-row strong, .ant-select-content-value, ' +
  '.ant-select-selection-item, .kit-code, .kit-json, .kit-thumbs, .tab, .board-card, .supplier-group h2, ' +
  '.supplier-group h3, .supplier-group header, .notice, .marketing-article, .kit-title-of, ' +
  '.guard-queue li, .guard-shops, .guard-phrases, .guard-sums, .price-loop-table tbody th, ' +
  'header[class$="-head"]'
/** Words that stay the same in Chinese: names of techniques, formats and makers, units, keys. */
const SAME_IN_CHINESE =
  'ID|IP|URL|URI|API|SKU|SN|JSON|XML|HTML|SQL|App|AppID|AppId|APP|Ctrl|Excel|Cron|cron|MAC|QR|MQTT|OSS|SMS|' +
  'UUID|PC|VIP|AI|PDF|KB|MB|GB|ms|kg|cm|px|' +
  'GET|POST|PUT|DELETE|OAuth|OpenID|openid|Token|token|English|https?|bucketName|WiFi|LED|RFID|EAN|GPS|' +
  'POS|UA|User-Agent|CRON|EPOS|ePOS|Key|Secret|OK|WEB|MinIO|minio|AppSecret|appkey|PEM|BPMN|WVP|' +
  'RTSP|Azure|OpenEPaperLink|WAV|MP3|Dify|USER|UKEY|UserKEY|TLS|' +
  'MySQL|MariaDB|PostgreSQL|npm run generate|' +
  // Names in conditions, workflows, folders and schemas, only in these phrases.
  'before、after|args（|count（|hour（|roles（|输入 prompt|如 goods|为 public'

/** Returns the product's own texts that are in the wrong language. */
export const wrongLanguage = (page: Page, lang: 'zh' | 'en'): Promise<string[]> =>
  page.evaluate(
    ({ own, data, same, lang: language }) => {
      const isWrong =
        language === 'en'
          ? (text: string) => /[\u4e00-\u9fff]/.test(text)
          : (text: string) =>
              /[A-Za-z]{2,}/.test(
                text
                  .replace(new RegExp(`(?<![A-Za-z])(${same})(?![A-Za-z])`, 'g'), '')
                  .replace(/[\w.+-]*[\d@/_.:-][\w.+@/:-]*/g, ''),
              )
      return [...document.querySelectorAll<HTMLElement>(`:is(${own})`)]
        .filter((element) => !element.closest(data) && element.checkVisibility({ checkVisibilityCSS: true }))
        .flatMap((element) => [
          ...[element.innerText ?? '', element.getAttribute('placeholder') ?? ''].filter(isWrong),
          // Accessible labels may contain user content: "Close 数据线", "查看 warehouse".
          ...[element.getAttribute('aria-label') ?? '', element.getAttribute('title') ?? ''].filter(
            (text) => isWrong(text) && !(language === 'zh' ? /[\u4e00-\u9fff]/ : /[A-Za-z]{2,}/).test(text),
          ),
        ])
        .map((text) => text.replace(/\s+/g, ' ').slice(0, 80))
    },
    { own: OWN, data: DATA, same: SAME_IN_CHINESE, lang },
  )

/**
 * Returns what does not fit: a page wider than the screen, elements cut off or running out of their box, and the
 * product's own texts shortened by an ellipsis. Scrolling areas and shortened user content are allowed.
 */
export const misfits = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const found: string[] = []
    const wide = document.documentElement.scrollWidth - innerWidth
    if (wide > 0) found.push(`the page is ${wide} px wider than the screen`)
    const layer = [...document.querySelectorAll('.ant-modal-wrap, .ant-drawer-open, dialog[open]')]
      .filter((one) => one.checkVisibility())
      .at(-1)

    const isOwn = (element: Element) =>
      !!element.closest('h1, h2, h3, th, dt, label, legend, button, .ant-segmented-item, .ant-tabs-tab, .kit-tag') &&
      !element.closest(
        '.kit-inline, .kit-copy, .tab, .top, .side, .kit-link, .kit-chips, td button, .kit-views, .ant-select, ' +
          '.ant-tree, .guard-content',
      )

    const nameOf = (element: Element) =>
      `${element.tagName.toLowerCase()}${[...element.classList]
        .slice(0, 2)
        .map((name) => `.${name}`)
        .join('')}`

    const rectOf = (element: Element) => {
      if (element.matches('input, textarea, img, canvas, .ant-select, .ant-picker'))
        return element.getBoundingClientRect()
      const range = document.createRange()
      const texts = [...element.childNodes].filter(
        (node) => node.nodeType === Node.TEXT_NODE && node.textContent!.trim(),
      )
      if (!texts.length) return undefined
      range.setStartBefore(texts[0]!)
      range.setEndAfter(texts.at(-1)!)
      return range.getBoundingClientRect()
    }
    const isFramed = (around: Element, style: CSSStyleDeclaration) =>
      style.borderRightWidth !== '0px' || (style.backgroundColor !== 'rgba(0, 0, 0, 0)' && around !== document.body)
    /** Whether an element lets one inside it overflow (`isFree`), and what is wrong when it does not. */
    const holdOf = (around: Element, element: HTMLElement, rect: DOMRect): { isFree: boolean; fault?: string } => {
      const style = getComputedStyle(around)
      const beyond = rect.right - around.getBoundingClientRect().right
      const isBeyond = beyond > 1.5
      if (style.textOverflow === 'ellipsis' && style.overflowX !== 'visible')
        return { isFree: false, ...(isBeyond && isOwn(element) && { fault: 'ends in an ellipsis' }) }
      const isScrolled = /auto|scroll/.test(style.overflowX) && around.scrollWidth > around.clientWidth
      // A table's head scrolls with its rows.
      if (isScrolled || around.matches('.ant-table-sticky-holder')) return { isFree: false }
      if (!isBeyond || style.display === 'inline') return { isFree: true }
      if (/hidden|clip/.test(style.overflowX) && around !== document.body)
        return { isFree: false, fault: `is cut by ${nameOf(around)}` }
      if (!isFramed(around, style)) return { isFree: true }
      return { isFree: false, fault: `runs ${Math.round(beyond)} px out of ${nameOf(around)}` }
    }
    const isSeen = (element: HTMLElement) =>
      !element.closest(
        '.kit-hidden, .kit-tip, .skip, svg, script, style, [aria-hidden="true"], .ant-message, ' +
          '.ant-tree-list-scrollbar, .ant-table-measure-row, .kit-upload input',
      ) && element.checkVisibility({ checkVisibilityCSS: true, checkOpacity: true })
    const wordsOf = (one: HTMLElement) =>
      one.innerText || one.getAttribute('placeholder') || one.getAttribute('src') || ''

    for (const element of (layer ?? document.body).querySelectorAll<HTMLElement>('*')) {
      const rect = isSeen(element) ? rectOf(element) : undefined
      if (!rect?.width) continue
      const what = () => `“${wordsOf(element).replace(/\s+/g, ' ').slice(0, 40)}” in ${nameOf(element)}`

      let isFree = true
      let around: Element | null = element
      while (isFree && around && around !== document.documentElement) {
        const hold = holdOf(around, element, rect)
        if (hold.fault) found.push(`${what()} ${hold.fault}`)
        isFree = hold.isFree
        if (getComputedStyle(around).position === 'fixed') break
        around = around.parentElement
      }
      if (isFree && rect.right > innerWidth + 1 && rect.left < innerWidth * 2)
        found.push(`${what()} is beyond the screen`)
    }

    return [...new Set(found)]
  })

/**
 * Returns touch targets lower than 44 px. Links inside texts may be as high as the text, and a row unfolds wherever it
 * is tapped.
 */
export const smallTargets = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const layer = [...document.querySelectorAll('.ant-modal-wrap, .ant-drawer-open, dialog[open]')]
      .filter((one) => one.checkVisibility())
      .at(-1)
    const here = layer ?? document.body
    return [
      ...new Set(
        [
          ...here.querySelectorAll<HTMLElement>(
            'button, [role=button], [role=switch], input:not([type=hidden]), .ant-select, .ant-picker, ' +
              '.ant-segmented-item, summary',
          ),
        ].flatMap((element) => {
          if (
            !element.checkVisibility({ checkVisibilityCSS: true, checkOpacity: true }) ||
            element.closest(
              '.kit-hidden, .kit-edge, .ant-select input, .ant-picker input, .ant-input-affix-wrapper input, ' +
                '.ant-input-number input, .ant-checkbox-wrapper, .ant-radio-wrapper, .kit-copy, .kit-handle, ' +
                // Elements of a price tag are as large as printed.
                '.ant-table-row-expand-icon, .layout-box',
            )
          )
            return []
          const { height: seen, width } = element.getBoundingClientRect()
          // Small icons may have a larger touch area.
          const beyond = getComputedStyle(element, '::after')
          const height =
            beyond.content !== 'none' && beyond.position === 'absolute'
              ? Math.max(seen, parseFloat(beyond.height) || 0)
              : seen
          if (height >= 43.5 || !height) return []
          return [
            `“${(element.innerText || element.getAttribute('aria-label') || '').replace(/\s+/g, ' ').slice(0, 24)}” ` +
              `${element.tagName.toLowerCase()}.${[...element.classList].slice(0, 3).join('.')} ` +
              `is ${Math.round(width)} × ${Math.round(height)} px`,
          ]
        }),
      ),
    ]
  })

/** Where the guest has the way out of the browser's sandbox. */
const PROXY_URL = "http://127.0.0.1:3128";

/** A host that does not exist, for requests that must not leave. */
export const NOWHERE = "updates.invalid";

const DISABLED_FEATURES = [
  // They ask the network for something by themselves.
  "AcceptCHFrame",
  "AimEnabled",
  "AutofillServerCommunication",
  "CertificateTransparencyComponentUpdater",
  "DialMediaRouteProvider",
  "GlobalMediaControls",
  "MediaRouter",
  "NetworkTimeServiceQuerying",
  "OptimizationGuideModelDownloading",
  "OptimizationGuideOnDeviceModel",
  "OptimizationHints",
  "PreconnectToSearch",
  "Translate",
  // They get in the way of automation.
  "AvoidUnnecessaryBeforeUnloadCheckSync",
  "HttpsFirstBalancedModeAutoEnable",
  "HttpsUpgrades",
  "PaintHolding",
];

const ENABLED_FEATURES = ["CDPScreenshotNewSurface", "SkipListAccountsWithoutGaiaCookies"];

export const viewport = { width: 1280, height: 800 };

export const chromiumFlags: readonly string[] = [
  "--headless",
  // The sandbox around it is the boundary; its own would need rights that are not there.
  "--no-sandbox",
  // Everything goes through the PROXY_URL, `localhost` too: that is the session's sandbox, not the browser's.
  `--proxy-server=${PROXY_URL}`,
  "--proxy-bypass-list=<-loopback>",
  // No requests of its own.
  "--disable-background-networking",
  "--disable-component-update",
  // Some components ask for updates anyway: send them to a host that does not exist.
  `--component-updater=url-source=http://${NOWHERE}/`,
  "--disable-component-extensions-with-background-pages",
  "--disable-default-apps",
  "--disable-domain-reliability",
  "--disable-client-side-phishing-detection",
  "--disable-extensions",
  "--disable-sync",
  "--disable-breakpad",
  "--metrics-recording-only",
  "--no-first-run",
  "--no-default-browser-check",
  "--no-pings",
  "--disable-field-trial-config",
  `--disable-features=${DISABLED_FEATURES.join(",")}`,
  `--enable-features=${ENABLED_FEATURES.join(",")}`,
  "--password-store=basic",
  "--disable-gpu",
  "--mute-audio",
  "--hide-scrollbars",
  "--hide-crash-restore-bubble",
  "--force-color-profile=srgb",
  "--disable-search-engine-choice-screen",
  // Playwright expects these.
  "--allow-pre-commit-input",
  "--disable-back-forward-cache",
  "--disable-hang-monitor",
  "--disable-ipc-flooding-protection",
  "--disable-popup-blocking",
  "--disable-prompt-on-repost",
  // A tab that is not in front works on.
  "--disable-background-timer-throttling",
  "--disable-backgrounding-occluded-windows",
  "--disable-renderer-backgrounding",
  `--window-size=${viewport.width},${viewport.height}`,
  "--force-device-scale-factor=1",
  `--disk-cache-size=${64 * 1024 * 1024}`,
  "about:blank",
];

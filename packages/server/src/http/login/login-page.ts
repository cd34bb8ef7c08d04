/** Leads on from our own page, so that the strict cookie goes with it also when the link was opened from elsewhere. */
export function renderLoginPage(): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="refresh" content="0;url=/ui">
<title>Atoll</title>
<link rel="stylesheet" href="/docs.css">
</head>
<body><main><p>You are logged in. <a href="/ui">Go on to Atoll</a>.</p></main></body>
</html>
`;
}

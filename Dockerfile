# The base is pinned by its whole version, in both stages; Python 3.11 is what the tests run on.
# A digest pins harder: docker buildx imagetools inspect python:3.11.16-slim-bookworm prints it.
FROM python:3.11.16-slim-bookworm AS build
RUN python -m venv /opt/venv
WORKDIR /src
COPY . .
# For any processor, so that what is compiled here does for whichever it will run on.
ENV NUMBA_CPU_NAME=generic
# In the end pip goes too: what serves installs nothing.
RUN /opt/venv/bin/pip install --no-cache-dir '.[postgres,redis,solver]' \
    && /opt/venv/bin/python -I -c 'import service.solver as s; s.warm_up()' \
    && /opt/venv/bin/pip uninstall --yes setuptools pip

FROM python:3.11.16-slim-bookworm
# A number needs no entry in /etc/passwd, and lets Kubernetes see that it is not root.
RUN install --directory --owner=10001 --group=10001 /data
COPY --from=build /opt/venv /opt/venv
ENV PATH=/opt/venv/bin:$PATH \
    NUMBA_CPU_NAME=generic \
    PYTHONUNBUFFERED=1 \
    HOST=0.0.0.0 \
    PORT=8000 \
    SEMILLA_DATA=/data
USER 10001:10001
VOLUME /data
EXPOSE 8000
# gunicorn ends its workers when their requests are done, within 30 seconds.
STOPSIGNAL SIGTERM
# Not urllib: that would ask the proxy that Docker may set in a container's environment.
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s \
    CMD ["python", "-c", "import http.client, os; c = http.client.HTTPConnection('127.0.0.1', int(os.environ['PORT']), timeout=4); c.request('GET', '/livez'); exit(c.getresponse().status != 200)"]
ENTRYPOINT ["semilla"]
CMD ["serve"]
